"use strict";

// Draws the state of a table: objectives, the row of prizes, and each player's panel.
//
// `view` says how: deck, names, person (the seat that the texts call "you", or null), seat (the same
// where that person's own tableau and hand are apart, or null), showKnown and showHidden (which cards
// of the hands are face up), and played: the cards of this turn, [{player, card}], in the order of
// the prizes above them, with null for an empty slot, or null without slots. With evaluations, hands
// show the value of each card. Only during a turn: chosen (by player, the card in front of it, null
// if face down), landed (the placements of this turn so far), breakdown (show points of columns).
// For learners: slotLabels says which card each slot is for.
const TableView = (() => {
  const { element, card } = Cards;

  // The round and the turn of a table.
  function progress({ over, round, num_rounds: rounds, turn, num_turns: turns }) {
    return over ? Texts.get("table.over") : Texts.get("table.progress", { round, rounds, turn, turns });
  }

  // Who won.
  function result({ winners }, { names, person }) {
    const others = winners.filter((player) => player !== person).map((player) => names[player]);
    if (!winners.includes(person)) return Texts.get("table.won", { count: others.length, names: Texts.list(others) });
    return others.length ? Texts.get("play.share_victory", { names: Texts.list(others) }) : Texts.get("play.you_won");
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

  function middle(table, view) {
    const made = element("section", "middle");
    made.setAttribute("aria-label", Texts.get("table.middle"));
    made.append(row(table, view));
    if (table.objectives.length) made.prepend(Objectives.ofTable(table, view));
    if (table.last_turn) made.append(lastTurn(table.last_turn, view));
    return made;
  }

  function row(table, view) {
    const made = element("ol", "row");
    made.setAttribute("aria-label", Texts.get("table.prizes"));
    table.row.forEach(({ prize, played_by: player, taken }, place) => {
      const item = element("li", taken ? "prize taken" : "prize");
      // A prize taken in this turn lies in a tableau already; its place shows what it brought.
      item.append(
        card(view.deck, prize, !taken),
        taken ? Points.bubble(taken) : origin(player, view),
      );
      if (view.played) item.append(slot(view, place));
      made.append(item);
    });
    return made;
  }

  // "played by planner", of which only the name is seen where there is no room for more.
  function origin(player, view) {
    if (player === null) return element("span", "caption", Texts.get("table.from_deck"));
    const name = view.names[player];
    const text = player === view.person ? Texts.get("table.played_by_you") : Texts.get("table.played_by", { name });
    const made = element("span", "caption origin");
    const short = element("span", "short", name);
    short.setAttribute("aria-hidden", "true");
    made.append(element("span", "full", text), short);
    made.title = text;
    return made;
  }

  function slot(view, place) {
    const made = element("div", "played");
    const played = view.played[place];
    if (played) {
      const face = card(view.deck, played.card);
      face.dataset.playedBy = played.player;
      made.append(face, element("span", "caption", view.names[played.player]));
    } else {
      made.append(element("div", "empty-slot", view.slotLabels?.[place] ?? ""), element("span", "caption"));
    }
    return made;
  }

  function lastTurn(turn, view) {
    const made = element("section", "last-turn");
    made.append(element("h2", "", Texts.get("table.last_turn")), ...Turns.parts(turn, view));
    return made;
  }

  return { draw, progress, result };
})();
