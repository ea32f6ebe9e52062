// Dialogs over the table.
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

  return { open };
})();
