"use strict";

// The panel of a player: the score, the tableau and the hand. See table.js for `view`.
const Panel = (() => {
  const { element, card, back, signed } = Cards;

  function draw(table, view, player) {
    const own = player === view.seat;
    const made = element("section", own ? "panel own" : "panel");
    made.setAttribute("aria-label", own ? Texts.get("table.your_tableau")
      : Texts.get("table.tableau_of", { name: view.names[player] }));
    made.dataset.player = player;
    if (table.winners.includes(player)) made.classList.add("winner");
    const head = element("header");
    head.append(element("h2", "player-name", view.names[player]), score(table, player));
    made.append(head, columns(table, view, player));
    if (view.chosen) made.append(chosenCard(view, player));
    if (!own && !table.over) made.append(hand(table.players[player], view, player));
    return made;
  }

  // "15 this round: columns 12, bonus +1, objectives +2" and the total; a narrow panel shows
  // "15 this round = 12 + 1 + 2", and names the parts for screen readers.
  function score(table, player) {
    const { round_score: round, total } = table.players[player];
    const parts = partsText(round, table.objectives.length > 0);
    const made = element("span", "score");
    const now = element("small", "", table.over ? "" : Texts.get("table.this_round", { points: round.total }));
    if (!table.over) {
      const sum = partsSum(round, table.objectives.length > 0);
      now.append(element("span", "parts", ` = ${sum}`), element("span", "named-parts", `: ${parts}`));
    }
    made.append(now, element("b", "", total));
    const label = Texts.get("table.points_label", { count: total, running: round.total });
    made.setAttribute("aria-label", `${label}: ${parts}`);
    made.title = `${Texts.get("table.this_round", { points: round.total })}: ${parts}`;
    made.setAttribute("role", "img");
    return made;
  }

  function partsText(round, withObjectives) {
    const key = withObjectives ? "table.parts_objectives" : "table.parts";
    return Texts.get(key, {
      columns: round.colour_points,
      bonus: signed(round.bonus_points),
      objectives: signed(round.objective_points),
    });
  }

  function partsSum(round, withObjectives) {
    const rest = withObjectives ? [round.bonus_points, round.objective_points] : [round.bonus_points];
    return Points.sum([round.colour_points, ...rest]);
  }

  function columns(table, view, player) {
    const { tableau, column_points: points } = table.players[player];
    const made = element("ol", "tableau");
    tableau.forEach((cards, place) => {
      const value = table.score_cards[place];
      const item = element("li", cards.length ? "column" : "column empty");
      const names = cards.map((number) => Cards.name(view.deck, number)).join("; ");
      item.setAttribute("aria-label", Texts.get("table.under_score_card", {
        value, cards: names || Texts.get("table.columns_nothing"),
      }));
      item.append(scoreCard(view, cards, value));
      if (cards.length) item.append(summary(view, cards));
      item.append(...cards.map((number) => placedCard(view, player, number)));
      if (view.breakdown && cards.length) {
        item.append(Points.product(cards.length, value, points[place]));
      }
      made.append(item);
    });
    return made;
  }

  // In a narrow column the shape of the colour stands here once, and not on each card.
  function scoreCard(view, cards, value) {
    const made = element("span", "score-card", value);
    if (cards.length) made.append(Cards.shape(view.deck[cards[0] - 1].colour));
    return made;
  }

  // The colour and the number of cards of a column, for opponents on a small screen.
  function summary(view, cards) {
    const { colour } = view.deck[cards[0] - 1];
    const made = element("span", `summary card ${colour}`);
    made.setAttribute("aria-hidden", "true");
    made.append(Cards.shape(colour), element("b", "", cards.length));
    return made;
  }

  // A card that has just landed shows the points that it brought.
  function placedCard(view, player, number) {
    const made = card(view.deck, number);
    const landing = view.landed?.find((each) => each.player === player && each.card === number);
    if (!landing) return made;
    made.classList.add("landed");
    const { now, last } = landing;
    if (now && last) made.dataset.playedBy = player; // it comes from the hand
    const points = Points.bubble(landing);
    points.classList.add(`in-column-${landing.column}`);
    made.classList.toggle("now", now);
    made.append(points);
    return made;
  }

  // The card that a player has chosen, before all go to their prizes.
  function chosenCard(view, player) {
    const number = view.chosen[player];
    const made = element("div", "chosen");
    if (number === undefined) return made;
    const face = number === null ? back(Texts.get("table.face_down", { name: view.names[player] }))
      : card(view.deck, number);
    face.dataset.playedBy = player;
    made.append(face);
    return made;
  }

  // Face-up cards first; the other cards show their backs.
  function hand({ known, hidden }, view, player) {
    const made = element("div", "hand-cards");
    const revealed = hidden.filter((number) => number !== null && view.showHidden);
    const faces = [...(view.showKnown ? known : []), ...revealed].sort((one, other) => one - other);
    const backs = known.length + hidden.length - faces.length;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", Texts.get("table.hand_of", {
      name: view.names[player], known: faces.length, unknown: backs,
    }));
    const evaluation = view.evaluations?.[player];
    for (const number of faces) {
      const face = card(view.deck, number);
      if (revealed.includes(number)) face.classList.add("hidden-card");
      made.append(evaluation ? evaluatedCard(face, number, evaluation) : face);
    }
    if (evaluation && faces.length) made.append(element("small", "unit", Cards.unitText(evaluation.unit)));
    for (let i = 0; i < backs; i += 1) made.append(back(Texts.get("table.unknown_card")));
    return made;
  }

  // A card above its value; the highest value of the hand stands out.
  function evaluatedCard(face, number, { unit, values }) {
    const made = element("div", "evaluated");
    const value = values[number];
    made.title = Cards.unitText(unit);
    made.classList.toggle("best", value === Math.max(...Object.values(values)));
    made.append(face, element("span", "card-value", Cards.formatValue(unit, value)));
    return made;
  }

  return { draw };
})();
