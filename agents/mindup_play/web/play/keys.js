"use strict";

// Keys of single letters and digits. They can be switched off, for people who speak to their
// computer or press keys by accident; arrow keys and Enter always work.
const Keys = (() => {
  const buttons = () => document.querySelectorAll("[data-key]");
  let areOn = Choices.get("keys") !== "off";

  function show() {
    document.body.classList.toggle("without-keys", !areOn);
    for (const button of buttons()) {
      if (areOn) button.setAttribute("aria-keyshortcuts", button.dataset.key);
      else button.removeAttribute("aria-keyshortcuts");
    }
  }

  function start(checkbox) {
    checkbox.checked = areOn;
    checkbox.addEventListener("change", () => {
      areOn = checkbox.checked;
      Choices.set("keys", areOn ? "on" : "off");
      show();
    });
    show();
  }

  const isOff = ({ key }) => !areOn && key.length === 1 && key !== " ";

  // Clicks the button that a key belongs to; whether there is one.
  function handle({ key }) {
    const button = [...buttons()].find(({ dataset }) => dataset.key === key);
    if (button && !button.hidden) button.click();
    return button !== undefined;
  }

  return { start, isOff, handle };
})();
