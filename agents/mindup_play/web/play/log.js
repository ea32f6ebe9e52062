"use strict";

// The log: every turn of the game so far with the points that each card brought, and the scores of the
// finished rounds.
const Log = (() => {
  const { element } = Cards;
  const at = (id) => document.getElementById(id);
  const dialog = at("log-dialog");

  function draw(turns, table, view) {
    const parts = [];
    for (const turn of turns) {
      if (turn.turn === 1) parts.push(element("h3", "", Texts.get("scores.round_of", { round: turn.round, rounds: table.num_rounds })));
      const made = element("section", "log-turn");
      made.append(element("h4", "", Texts.get("log.turn", { turn: turn.turn })), ...Turns.parts(turn, view));
      parts.push(made);
      if (!turn.last_cards) continue;
      const scores = table.round_scores[turn.round - 1];
      if (scores.some(({ objective_points: points }) => points !== 0)) made.append(Turns.objectivePoints(scores, view));
      parts.push(Scores.ofRound(table, view, turn.round));
    }
    if (!turns.length) parts.push(element("p", "", Texts.get("log.empty")));
    at("log-turns").replaceChildren(...parts);
  }

  // The last turn is at the bottom, and shown first.
  function open(turns, table, view) {
    draw(turns, table, view);
    dialog.showModal();
    at("log-turns").scrollTop = at("log-turns").scrollHeight;
    return new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
  }

  return { open };
})();
