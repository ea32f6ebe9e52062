// The panel of a player: the score, the tableau and the hand. See table.js for `view`.
const Panel = (() => {
  const { card, back } = Cards;

  function draw(table, view, player) {
    const own = player === view.seat;
    const label = own ? "Your tableau" : `Tableau of ${view.names[player]}`;
    const made = element(
      "section",
      { class: own ? "panel own" : "panel", "aria-label": label, "data-player": player },
      element("header", "", name(view, player), score(table, player)),
      columns(table, view, player),
    );
    if (own && view.slotLabels && !table.players[player].tableau.flat().length) {
      made.append(element("p", "strip-note", "Each card in a column brings the number above it."));
    }
    if (table.winners.includes(player)) made.classList.add("winner");
    if (view.chosen) made.append(chosenCard(view, player));
    if (!own && !table.over) made.append(hand(table.players[player], view, player));
    return made;
  }

  // The name, and in a wide panel that of the bot behind it.
  function name({ names, bots }, player) {
    const bot = bots?.[player] ?? "";
    return element("h2", { class: "player-name", title: bot }, names[player], bot && element("small", "bot-name", bot));
  }

  // "15 this round: columns 12, bonus +1, objectives +2" and the total; a narrow panel shows
  // "15 this round = 12 + 1 + 2", and names the parts for screen readers.
  function score(table, player) {
    const { round_score: round, total } = table.players[player];
    const withObjectives = table.objectives.length > 0;
    const now = `${Texts.number(round.total)} this round`;
    const parts = Points.parts(round, withObjectives);
    const label = `${Texts.points(total)}, ${Texts.number(round.total)} of them in this round`;
    const shown = table.over ? [] : [
      now, element("span", "parts", ` = ${partsSum(round, withObjectives)}`), element("span", "named-parts", `: ${parts}`)];
    return element(
      "span",
      { class: "score", "aria-label": `${label}: ${parts}`, title: `${now}: ${parts}`, role: "img" },
      element("small", "", ...shown),
      element("b", "", total),
    );
  }

  const partsSum = (round, withObjectives) => (
    Points.sum([round.colour_points, round.bonus_points, ...(withObjectives ? [round.objective_points] : [])]));

  function columns(table, view, player) {
    const { tableau, column_points: points } = table.players[player];
    return element("ol", "tableau", ...tableau.map((cards, place) => {
      const value = table.score_cards[place];
      const names = cards.map((number) => Cards.name(view.deck, number)).join("; ");
      const label = `Under score card ${value}: ${names || "nothing"}`;
      return element(
        "li",
        { class: cards.length ? "column" : "column empty", "aria-label": label },
        ...heads(view, cards, value),
        ...cards.map((number) => placedCard(view, player, number)),
        ...(view.breakdown && cards.length ? [Points.product(cards.length, value, points[place])] : []),
      );
    }));
  }

  // The score card of a column; on a small screen, its colour once, and its number of cards.
  function heads(view, cards, value) {
    if (!cards.length) return [element("span", "score-card", value)];
    const { colour } = view.deck[cards[0] - 1];
    return [
      element("span", "score-card", value, Cards.shape(colour)),
      element("span", { class: `summary card ${colour}`, "aria-hidden": "true" }, Cards.shape(colour), element("b", "", `\u00d7${cards.length}`)),
    ];
  }

  // A card that has just landed shows the points that it brought.
  function placedCard(view, player, number) {
    const made = card(view.deck, number, !view.isPicture);
    const landing = view.landed?.find((each) => each.player === player && each.card === number);
    if (!landing) return made;
    const { now, last } = landing;
    if (now && last) made.dataset.playedBy = player; // it comes from the hand
    const points = Points.bubble(landing);
    points.classList.add(`in-column-${landing.column}`);
    made.classList.add("landed", ...(now ? ["now"] : []), ...(last ? ["last"] : []));
    made.append(points);
    return made;
  }

  // The card that a player has chosen, before all go to their prizes.
  function chosenCard(view, player) {
    const number = view.chosen[player];
    if (number === undefined) return element("div", "chosen");
    const face = number === null ? back(`a card of ${view.names[player]}, face down`)
      : card(view.deck, number);
    face.dataset.playedBy = player;
    return element("div", "chosen", face);
  }

  // Face-up cards first; the other cards show their backs.
  function hand({ known, hidden }, view, player) {
    const revealed = hidden.filter((number) => number !== null && view.showHidden);
    const numbers = [...(view.showKnown ? known : []), ...revealed].sort((one, other) => one - other);
    const unknown = known.length + hidden.length - numbers.length;
    const evaluation = view.evaluations?.[player];
    const faces = numbers.map((number) => {
      const face = card(view.deck, number);
      if (revealed.includes(number)) face.classList.add("hidden-card");
      return evaluation ? evaluatedCard(face, number, evaluation) : face;
    });
    const unit = evaluation && faces.length ? [element("small", "unit", evaluation.unit)] : [];
    const backs = Array.from({ length: unknown }, () => back("a card that only its owner knows"));
    const label = `Hand of ${view.names[player]}: ${faces.length} known, ${unknown} unknown`;
    return element("div", { class: "hand-cards", role: "group", "aria-label": label }, ...faces, ...unit, ...backs);
  }

  // A card above its value; the highest value of the hand stands out.
  function evaluatedCard(face, number, { unit, values }) {
    const value = values[number];
    const isBest = value === Math.max(...Object.values(values));
    const shown = element("span", "card-value", Cards.formatValue(unit, value));
    return element("div", { class: isBest ? "evaluated best" : "evaluated", title: unit }, face, shown);
  }

  return { draw, columns };
})();
