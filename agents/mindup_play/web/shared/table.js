"use strict";

// Draws the state of a table: objectives, the row of prizes, and each player's tableau and hand.
//
// `view` says how: deck, names, seat (the person's, or null), showKnown and showHidden (which cards
// of the hands are face up), and played: the cards of this turn, [{player, card or null}], in the
// order of the prizes above them, or null. With evaluations, hands show the value of each card.
const TableView = (() => {
  const { element, card, back } = Cards;

  // The round and the turn of a table.
  function progress({ over, round, num_rounds: rounds, turn, num_turns: turns }) {
    return over ? Texts.get("table.over") : Texts.get("table.progress", { round, rounds, turn, turns });
  }

  // With `ownRoot`, the person's own tableau goes there.
  function draw(root, table, view, ownRoot = null) {
    const panels = panelOrder(table, view).map((player) => panel(table, view, player));
    if (ownRoot) ownRoot.replaceChildren(panels.pop());
    root.replaceChildren(middle(table, view), ...panels);
    root.dataset.players = table.players.length;
  }

  // The other players in seat order, then the person.
  function panelOrder(table, view) {
    const players = table.players.map((_, player) => player);
    if (view.seat === null) return players;
    return players.map((after) => (view.seat + 1 + after) % players.length);
  }

  function middle(table, view) {
    const made = element("section", "middle");
    made.setAttribute("aria-label", Texts.get("table.middle"));
    made.append(row(table, view));
    if (table.objectives.length) {
      made.prepend(Objectives.list(table.objectives, view.names, Texts.get("table.objectives"), "table.met_by_now"));
    }
    if (table.last_turn) made.append(lastTurn(table.last_turn, view));
    return made;
  }

  function row(table, view) {
    const made = element("ol", "row");
    made.setAttribute("aria-label", Texts.get("table.prizes"));
    table.row.forEach(({ prize, played_by: player }, place) => {
      const item = element("li", "prize");
      const origin = player === null ? Texts.get("table.from_deck") : view.names[player];
      item.append(card(view.deck, prize), element("span", "caption", origin));
      if (view.played) {
        item.append(view.played[place] ? playedCard(view.played[place], view) : element("div", "empty-slot"));
      }
      made.append(item);
    });
    return made;
  }

  function playedCard({ player, card: number }, view) {
    const made = element("div", "played");
    const face = number === null ? back(Texts.get("table.face_down", { name: view.names[player] }))
      : card(view.deck, number);
    face.dataset.playedBy = player;
    made.append(face, element("span", "caption", view.names[player]));
    return made;
  }

  function lastTurn(turn, view) {
    const made = element("section", "last-turn");
    const title = element("h2", "", Texts.get("table.last_turn"));
    const list = element("ol");
    for (const { player, card: number, prize } of turn.plays) {
      const item = element("li", player === view.seat ? "own" : "");
      item.append(
        element("span", "player-name", view.names[player]),
        card(view.deck, number, false),
        element("span", "takes", Texts.get("table.takes")),
        card(view.deck, prize, false),
      );
      list.append(item);
    }
    made.append(title, list);
    return made;
  }

  function panel(table, view, player) {
    const { tableau, running_score: running, total } = table.players[player];
    const own = player === view.seat;
    const made = element("section", own ? "panel own" : "panel");
    made.setAttribute("aria-label", own ? Texts.get("table.your_tableau") : Texts.get("table.tableau_of", { name: view.names[player] }));
    made.dataset.player = player;
    if (table.winners.includes(player)) made.classList.add("winner");
    const head = element("header");
    const points = element("span", "score");
    points.append(element("small", "", table.over ? "" : Texts.get("table.this_round", { points: running })), element("b", "", total));
    points.setAttribute("aria-label", Texts.get("table.points_label", { count: total, running }));
    points.setAttribute("role", "img");
    head.append(element("h2", "", view.names[player]), points);
    made.append(head, columns(table, view, tableau));
    if (!own && !table.over) made.append(hand(table.players[player], view, player));
    return made;
  }

  function columns(table, view, tableau) {
    const made = element("ol", "tableau");
    tableau.forEach((cards, place) => {
      const value = table.score_cards[place];
      const item = element("li", cards.length ? "column" : "column empty");
      const names = cards.map((number) => Cards.name(view.deck, number)).join("; ");
      item.setAttribute("aria-label", Texts.get("table.under_score_card", { value, cards: names || Texts.get("table.columns_nothing") }));
      item.append(element("span", "score-card", value), ...cards.map((number) => card(view.deck, number)));
      made.append(item);
    });
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

  return { draw, progress };
})();
