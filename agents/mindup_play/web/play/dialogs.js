// Dialogs over the table, and questions.
const Dialogs = (() => {
  // Resolves with the value of the button that closes the dialog.
  function open(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    // The attribute autofocus would work at the page's first rendering too, and be blocked there.
    dialog.querySelector("[data-focus]")?.focus();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    });
  }

  // Asks before something is done; the safe answer has the focus.
  async function ask(question, action) {
    at("question-text").textContent = question;
    at("question-yes").textContent = action;
    return await open(at("question-dialog")) === "yes";
  }

  // Asks if cards were played in the current game, and it is not over.
  async function mayLeave({ turns_played: turns, table }) {
    if (turns === 0 || table.over) return true;
    return ask(Texts.get("new_game.leave"), Texts.get("new_game.leave_and_deal"));
  }

  return { open, ask, mayLeave };
})();

// Buttons with data-copy copy the text of the element with that id.
(() => {
  async function copy(pressed) {
    const source = at(pressed.dataset.copy);
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(source.textContent);
      pressed.textContent = Texts.get("play.copied");
    } catch {
      pressed.textContent = Texts.get("play.selected"); // without access to the clipboard
    }
    setTimeout(() => { pressed.textContent = Texts.get("play.copy"); }, 2000);
  }

  for (const each of document.querySelectorAll("[data-copy]")) {
    each.addEventListener("click", () => copy(each));
  }
})();
