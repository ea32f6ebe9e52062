"use strict";

// How fast a turn is shown.
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
    select.addEventListener("change", () => {
      chosen = select.value;
      Choices.set("speed", chosen);
      apply();
    });
    apply();
  }

  // Without motion there is nothing to watch: the result stays until the person goes on.
  const name = () => (chosen in SPEEDS ? chosen : Animations.reduced() ? "wait" : "normal");
  const holds = () => SPEEDS[name()].holds;
  const apply = () => Animations.setFactor(SPEEDS[name()].factor);

  return { start, holds };
})();

// Keys of single letters and digits. They can be switched off, for people who speak to their
// computer or press keys by accident; arrow keys and Enter always work.
const Keys = (() => {
  const buttons = () => document.querySelectorAll("[data-key]");
  let areOn = Choices.get("keys") !== "off";

  function show(on) {
    areOn = on;
    document.body.classList.toggle("without-keys", !areOn);
    for (const each of buttons()) {
      if (areOn) each.setAttribute("aria-keyshortcuts", each.dataset.key);
      else each.removeAttribute("aria-keyshortcuts");
    }
  }

  function start(checkbox) {
    Choices.bind(checkbox, "keys", areOn, show);
    show(areOn);
  }

  const isOff = ({ key }) => !areOn && key.length === 1 && key !== " ";

  // Clicks the button that a key belongs to; whether there is one.
  function handle({ key }) {
    const found = [...buttons()].find(({ dataset }) => dataset.key === key);
    if (found && !found.hidden) found.click();
    return found !== undefined;
  }

  return { start, isOff, handle };
})();

// What the person sets for all games, each kept for this computer by the script that reads it.
const Settings = (() => {
  function start() {
    Speed.start(at("speed"));
    Keys.start(at("single-keys"));
    Guide.start(at("guide"));
    Hints.start(at("always-hints"));
  }

  // Resolves when the dialog is closed.
  function open() {
    at("reduced-motion").hidden = !Animations.reduced();
    return Dialogs.open(at("settings-dialog"));
  }

  return { start, open };
})();
