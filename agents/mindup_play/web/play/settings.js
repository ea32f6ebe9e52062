// How fast a turn is shown in all games.
const Speed = (() => {
  // How many times as long as at normal speed; "wait" holds the page until the person goes on.
  const FACTORS = { wait: 1, slow: 1.8, normal: 1, fast: 0.45, none: 0 };
  const select = at("speed");
  const kept = Choices.get("speed");

  const holds = () => select.value === "wait";
  const apply = () => Animations.setFactor(FACTORS[select.value]);

  // Without motion there is nothing to watch: the result stays until the person goes on.
  select.value = kept in FACTORS ? kept : Animations.reduced() ? "wait" : "normal";
  select.addEventListener("change", () => {
    Choices.set("speed", select.value);
    apply();
  });
  apply();

  return { holds };
})();

// Keys of single letters and digits. They can be switched off, for people who speak to their
// computer or press keys by accident; arrow keys and Enter always work.
const Keys = (() => {
  const buttons = [...document.querySelectorAll("[data-key]")];

  function show() {
    const areOn = Choices.isOn("single-keys");
    document.body.classList.toggle("without-keys", !areOn);
    for (const each of buttons) each.ariaKeyShortcuts = areOn ? each.dataset.key : null;
  }

  const isOff = ({ key }) => !Choices.isOn("single-keys") && key.length === 1 && key !== " ";

  // Clicks the button that a key belongs to; whether there is one.
  function handle({ key }) {
    const found = buttons.find(({ dataset }) => dataset.key === key);
    if (found && !found.hidden) found.click();
    return found !== undefined;
  }

  at("single-keys").addEventListener("change", show);
  show();

  return { isOff, handle };
})();
