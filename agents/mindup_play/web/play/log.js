"use strict";

// The log: every turn of the game so far with the points that each card brought, and the scores of the
// finished rounds.
const Log = (() => {
  function draw(turns, table, view) {
    const parts = turns.flatMap((turn) => ofTurn(turn, table, view));
    at("log-turns").replaceChildren(...(parts.length ? parts : [element("p", "", Texts.get("log.empty"))]));
  }

  function ofTurn(turn, table, view) {
    const { round } = turn;
    const title = element("h4", "", Texts.get("log.turn", { turn: turn.turn }));
    const parts = [element("section", "log-turn", title, ...Turns.parts(turn, view))];
    if (turn.turn === 1) parts.unshift(element("h3", "", Texts.get("scores.round_of", { round, rounds: table.num_rounds })));
    if (!turn.last_cards) return parts;
    const scores = table.round_scores[round - 1];
    if (scores.some(({ objective_points: points }) => points !== 0)) parts.at(-1).append(Turns.objectivePoints(scores, view));
    return [...parts, Scores.ofRound(table, view, round)];
  }

  // The last turn is at the bottom, and shown first.
  function open(turns, table, view) {
    draw(turns, table, view);
    const closed = Dialogs.open(at("log-dialog"));
    at("log-turns").scrollTop = at("log-turns").scrollHeight;
    return closed;
  }

  return { open };
})();
