// A soft sound when cards are revealed, unless it is off, as it is at first.
const Sound = (() => {
  let isOn = Choices.get("sound") === "on";

  const start = (checkbox) => Choices.bind(checkbox, "sound", isOn, (on) => {
    isOn = on;
    play();
  });

  function play() {
    if (!isOn) return;
    const context = new AudioContext();
    const [tone, volume] = [new OscillatorNode(context, { frequency: 523 }), new GainNode(context, { gain: 0.08 })];
    volume.gain.exponentialRampToValueAtTime(0.001, 0.3); // seconds
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(0.3);
    tone.onended = () => context.close();
  }

  return { start, play };
})();

// What the person sets for all games, kept for this computer: how fast a turn is shown.
const Speed = (() => {
  // How many times as long as at normal speed; "wait" holds the page until the person goes on.
  const FACTORS = { wait: 1, slow: 1.8, normal: 1, fast: 0.45, none: 0 };
  let chosen = Choices.get("speed");

  function start(select) {
    select.value = name();
    select.addEventListener("change", () => {
      chosen = select.value;
      Choices.set("speed", chosen);
      apply();
    });
    apply();
  }

  // Without motion there is nothing to watch: the result stays until the person goes on.
  const name = () => (chosen in FACTORS ? chosen : Animations.reduced() ? "wait" : "normal");
  const holds = () => name() === "wait";
  const apply = () => Animations.setFactor(FACTORS[name()]);

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
