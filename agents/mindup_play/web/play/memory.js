"use strict";

// What this tab remembers over a reload. A value that is kept for a turn is forgotten after it.
const Memory = (() => {
  const PREFIX = "mindup-";

  function keep(name, value) {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch { /* without storage a reload forgets */ }
  }

  function recall(name, otherwise = null) {
    try {
      return JSON.parse(sessionStorage.getItem(PREFIX + name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  const turnOf = ({ game_id, turns_played }) => `${game_id} ${turns_played}`;
  const keepForTurn = (name, state, value) => keep(name, { turn: turnOf(state), value });

  function recallForTurn(name, state) {
    const kept = recall(name);
    return kept?.turn === turnOf(state) ? kept.value : null;
  }

  return { keep, recall, keepForTurn, recallForTurn };
})();
