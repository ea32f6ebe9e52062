// Draws the state of a table: objectives, the row of prizes, and each player's panel.
//
// `view` says how: deck, names, person (the seat that the texts call "you", or null), seat (the same
// where that person's own tableau and hand are apart, or null), showKnown and showHidden (which cards
// of the hands are face up), and played: the cards of this turn, [{player, card}], in the order of
// the prizes above them, with null for an empty slot, or null without slots. With evaluations, hands
// show the value of each card. Only during a turn: chosen (by player, the card in front of it, null
// if face down), landed (the placements of this turn so far), breakdown (show points of columns).
// For learners: slotLabels says which card each slot is for; isPicture is how to play.
const TableView = (() => {
  // The round and the turn of a table.
  function progress({ over, round, num_rounds: rounds, turn, num_turns: turns }) {
    return over ? "The game is over" : `Round ${round} of ${rounds} · turn ${turn} of ${turns}`;
  }

  // Who won.
  function result({ winners }, { names, person }) {
    const others = winners.filter((player) => player !== person).map((player) => names[player]);
    if (!winners.includes(person)) return `${Texts.list(others)} won`;
    return others.length ? `You share the victory with ${Texts.list(others)}` : "You won!";
  }

  // With `ownRoot`, the person's own tableau goes there.
  function draw(root, table, view, ownRoot = null) {
    const panels = panelOrder(table, view).map((player) => Panel.draw(table, view, player));
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

  const middle = (table, view) => element(
    "section",
    { class: "middle", "aria-label": "The middle of the table" },
    ...(table.objectives.length ? [Objectives.ofTable(table, view)] : []),
    row(table, view),
    ...(table.last_turn ? [lastTurn(table.last_turn, view)] : []),
  );

  // A prize taken in this turn lies in a tableau already; its place shows what it brought.
  const row = (table, view) => element(
    "ol",
    { class: "row", "aria-label": "Prizes, the lowest first" },
    ...table.row.map(({ prize, played_by: player, taken }, place) => element(
      "li",
      taken ? "prize taken" : "prize",
      Cards.card(view.deck, prize, !taken),
      taken ? Points.bubble(taken) : origin(player, view),
      ...(view.played ? [slot(view, place)] : []),
    )),
  );

  // "played by planner", of which only the name is seen where there is no room for more.
  function origin(player, view) {
    if (player === null) return element("span", "caption", "from the deck");
    const name = view.names[player];
    const text = player === view.person ? "played by you" : `played by ${name}`;
    return element(
      "span",
      { class: "caption origin", title: text },
      element("span", "full", text),
      element("span", { class: "short", "aria-hidden": "true" }, name),
    );
  }

  function slot(view, place) {
    const played = view.played[place];
    if (!played) {
      return element("div", "played", element("div", "empty-slot", view.slotLabels?.[place] ?? ""), element("span", "caption"));
    }
    const face = Cards.card(view.deck, played.card);
    face.dataset.playedBy = played.player;
    return element("div", "played", face, element("span", "caption", view.names[played.player]));
  }

  const lastTurn = (turn, view) => (
    element("section", "last-turn", element("h2", "", "Last turn"), ...Turns.parts(turn, view)));

  return { draw, progress, result };
})();
