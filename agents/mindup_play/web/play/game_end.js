"use strict";

// What stands in the place of the hand when the game is over: the result, and the ways on.
const GameEnd = (() => {
  const at = (id) => document.getElementById(id);

  // `current` is the current game, which may be another one that is still played.
  function draw(state, current) {
    at("game-end").hidden = !state.table.over;
    if (!state.table.over) return;
    at("end-title").textContent = TableView.result(state.table, { names: state.names, person: state.seat });
    const drawn = state.seed_was_drawn ? "play.seed_was" : "play.seed_typed";
    at("end-text").textContent = state.seed === null ? "" : Texts.get(drawn, { seed: state.seed });
    at("end-same-deal").hidden = state.seed === null; // the deal of a record
    at("review-game").hidden = state.names.length < 3; // no network values games of two players
    at("review-game").href = `review.html?game=${state.game_id}`;
    at("game-link").textContent = `${location.origin}/?game=${state.game_id}`;
    at("save-record").href = `record?game=${state.game_id}`;
    at("end-return").hidden = state.game_id === current.game_id || current.table.over;
  }

  return { draw };
})();
