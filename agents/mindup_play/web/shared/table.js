"use strict";

// Draws a moment of a game: objectives, the row of prizes, and what lies before every player.
//
// A look says how: deck, names, seat (the person's, or null), known and secret (which cards of the
// hands are shown), and lane, the cards played in this turn: [{player, card or null}] in the order
// in which they lie under the prizes. Where it has weighings, hands tell what their owners made of
// each card.
const Table = (() => {
  const { element, card, back } = Cards;

  // The person's own tableau goes to another place, where there is one.
  function draw(root, moment, look, own = null) {
    const panels = seats(moment, look).map((player) => panel(moment, look, player));
    if (own) own.replaceChildren(panels.pop());
    root.replaceChildren(middle(moment, look), ...panels);
    root.dataset.players = moment.players.length;
  }

  // The others in their order around the table, then the person.
  function seats(moment, look) {
    const players = moment.players.map((_, player) => player);
    if (look.seat === null) return players;
    return players.map((after) => (look.seat + 1 + after) % players.length);
  }

  function middle(moment, look) {
    const made = element("section", "middle");
    made.setAttribute("aria-label", "The middle of the table");
    made.append(row(moment, look));
    if (moment.objectives.length) {
      made.prepend(Objectives.list(moment.objectives, look.names, "Objectives of this round", "now: "));
    }
    if (moment.last_turn) made.append(lastTurn(moment.last_turn, look));
    return made;
  }

  function row(moment, look) {
    const made = element("ol", "row");
    made.setAttribute("aria-label", "Prizes, the lowest first");
    moment.row.forEach(({ card: prize, player }, place) => {
      const item = element("li", "place");
      const from = player === null ? "from the deck" : look.names[player];
      item.append(card(look.deck, prize), element("span", "from", from));
      if (look.lane) item.append(look.lane[place] ? played(look.lane[place], look) : element("div", "waiting"));
      made.append(item);
    });
    return made;
  }

  function played({ player, card: number }, look) {
    const made = element("div", "played");
    const face = number === null ? back(`a card of ${look.names[player]}, face down`)
      : card(look.deck, number);
    face.dataset.by = player;
    made.append(face, element("span", "from", look.names[player]));
    return made;
  }

  function lastTurn(turn, look) {
    const made = element("section", "last-turn");
    const title = element("h2", "", "Last turn");
    const list = element("ol");
    for (const { player, card: number, prize } of turn.taken) {
      const item = element("li", player === look.seat ? "own" : "");
      item.append(
        element("span", "who", look.names[player]),
        card(look.deck, number, false),
        element("span", "takes", "takes"),
        card(look.deck, prize, false),
      );
      list.append(item);
    }
    made.append(title, list);
    return made;
  }

  function panel(moment, look, player) {
    const { tableau, running, total } = moment.players[player];
    const own = player === look.seat;
    const made = element("section", own ? "panel own" : "panel");
    made.setAttribute("aria-label", own ? "Your tableau" : `Tableau of ${look.names[player]}`);
    made.dataset.player = player;
    if (moment.winners.includes(player)) made.classList.add("winner");
    const head = element("header");
    const points = element("span", "score");
    points.append(element("small", "", moment.over ? "" : `${running} this round`), element("b", "", total));
    points.setAttribute("aria-label", `${total} points, ${running} of them in this round`);
    points.setAttribute("role", "img");
    head.append(element("h2", "", look.names[player]), points);
    made.append(head, columns(moment, look, tableau));
    if (!own && !moment.over) made.append(hand(moment.players[player], look, player));
    return made;
  }

  function columns(moment, look, tableau) {
    const made = element("ol", "tableau");
    tableau.forEach((cards, place) => {
      const value = moment.score_cards[place];
      const item = element("li", cards.length ? "column" : "column empty");
      const numbers = cards.map((number) => Cards.name(look.deck, number)).join("; ");
      item.setAttribute("aria-label", `Under score card ${value}: ${numbers || "nothing"}`);
      item.append(element("span", "value", value), ...cards.map((number) => card(look.deck, number)));
      made.append(item);
    });
    return made;
  }

  // Known cards first, face up; of the others it is known how many there are.
  function hand({ known, hidden }, look, player) {
    const made = element("div", "held");
    const secret = hidden.filter((number) => number !== null && look.secret);
    const faces = [...(look.known ? known : []), ...secret].sort((one, other) => one - other);
    const backs = known.length + hidden.length - faces.length;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", `Hand of ${look.names[player]}: ${faces.length} known, ${backs} unknown`);
    const weighing = look.weighings?.[player];
    for (const number of faces) {
      const face = card(look.deck, number);
      if (secret.includes(number)) face.classList.add("secret");
      made.append(weighing ? weighed(face, number, weighing) : face);
    }
    if (weighing && faces.length) made.append(element("small", "unit", weighing.unit));
    for (let i = 0; i < backs; i += 1) made.append(back("a card that only its owner knows"));
    return made;
  }

  // A card over what it was worth; the one that was worth most stands out.
  function weighed(face, number, { unit, values }) {
    const made = element("div", "weighed");
    const value = values[number];
    made.title = unit;
    made.classList.toggle("best", value === Math.max(...Object.values(values)));
    made.append(face, element("span", "weight", Cards.worth(unit, value)));
    return made;
  }

  return { draw };
})();
