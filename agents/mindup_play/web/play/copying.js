"use strict";

// Buttons with data-copy copy the text of the element with that id.
(() => {
  async function copy(button) {
    const source = document.getElementById(button.dataset.copy);
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = Texts.get("play.copied");
    } catch {
      button.textContent = Texts.get("play.selected"); // without access to the clipboard
    }
    setTimeout(() => { button.textContent = Texts.get("play.copy"); }, 2000);
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button));
  }
})();
