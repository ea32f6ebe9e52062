"use strict";

// How fast a turn is shown; this computer keeps the choice.
const Speed = (() => {
  // How many times as long as at normal speed; the page waits for the person after each turn.
  const SPEEDS = {
    wait: { key: "speed.wait", factor: 1, holds: true },
    slow: { key: "speed.slow", factor: 1.8, holds: false },
    normal: { key: "speed.normal", factor: 1, holds: false },
    fast: { key: "speed.fast", factor: 0.45, holds: false },
    none: { key: "speed.none", factor: 0, holds: false },
  };
  let chosen = null;

  function start(select) {
    chosen = Choices.get("speed");
    select.replaceChildren(...Object.entries(SPEEDS).map(([value, { key }]) => new Option(Texts.get(key), value)));
    select.value = name();
    select.addEventListener("change", () => choose(select.value));
    apply();
  }

  function choose(to) {
    chosen = to;
    Choices.set("speed", to);
    apply();
  }

  // Without motion there is nothing to watch: the result stays until the person goes on.
  const name = () => (chosen in SPEEDS ? chosen : Animations.reduced() ? "wait" : "normal");
  const holds = () => SPEEDS[name()].holds;
  const apply = () => Animations.setFactor(SPEEDS[name()].factor);

  return { start, holds };
})();
