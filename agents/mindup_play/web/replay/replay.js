"use strict";

// Steps through the moments of a recorded game.
(() => {
  const at = (id) => document.getElementById(id);
  const { deck, names, moments, weighings } = JSON.parse(at("data").textContent);
  const last = moments.length - 1;
  const look = { deck, names, seat: null, known: true, secret: true, lane: null };
  let shown = 0;

  const mark = Graph.draw(at("graph"), moments, names, go);

  function headline({ clock, round, rounds, turn, turns, over, winners }) {
    if (over) return `The game is over: ${winners.map((player) => names[player]).join(" and ")} won`;
    return `Round ${round} of ${rounds} \u00b7 turn ${turn} of ${turns} \u00b7 ${clock} played`;
  }

  function drawAll() {
    const moment = moments[shown];
    const here = { ...look, weighings: look.secret && weighings ? weighings[shown] : null };
    Table.draw(at("table"), moment, here);
    at("place").textContent = headline(moment);
    at("turn").value = shown;
    at("turn").setAttribute("aria-valuetext", headline(moment));
    // Disabled in name alone: the one that has the focus would lose it.
    at("first").ariaDisabled = at("back").ariaDisabled = String(shown === 0);
    at("last").ariaDisabled = at("on").ariaDisabled = String(shown === last);
    mark(shown);
    const rounds = moment.finished_rounds.length;
    at("tables").replaceChildren(...(rounds
      ? [Scores.ofRound(moment, names, rounds), Scores.byRounds(moment, names)] : []));
  }

  function go(place) {
    const next = Math.min(Math.max(place, 0), last);
    if (next === shown) return;
    const near = Math.abs(next - shown) === 1;
    Motion.skip();
    Motion.rest();
    shown = next;
    if (near) Motion.between(at("table"), drawAll, 600);
    else drawAll();
  }

  function toggle() {
    look.secret = !look.secret;
    at("secret").setAttribute("aria-pressed", look.secret);
    drawAll();
  }

  const KEYS = {
    ArrowLeft: () => go(shown - 1),
    ArrowRight: () => go(shown + 1),
    Home: () => go(0),
    End: () => go(last),
    h: toggle,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  at("first").addEventListener("click", KEYS.Home);
  at("back").addEventListener("click", KEYS.ArrowLeft);
  at("on").addEventListener("click", KEYS.ArrowRight);
  at("last").addEventListener("click", KEYS.End);
  at("secret").addEventListener("click", toggle);
  at("turn").addEventListener("input", () => go(at("turn").valueAsNumber));
  at("turn").max = last;
  drawAll();
})();
