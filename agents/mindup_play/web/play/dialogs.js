// Dialogs over the table. Each is an entry of the history, so that Back closes it.
const Dialogs = (() => {
  const next = (target, event) => new Promise((resolve) => { target.addEventListener(event, resolve, { once: true }); });

  // Resolves with the value of the button that closes the dialog.
  async function open(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    // The attribute autofocus would work at the page's first rendering too, and be blocked there.
    dialog.querySelector("[data-focus]")?.focus();
    if (!history.state?.dialog) history.pushState({ dialog: true }, "");
    await next(dialog, "close");
    if (history.state?.dialog) {
      history.back();
      await next(window, "popstate");
    }
    return dialog.returnValue;
  }

  window.addEventListener("popstate", () => document.querySelector("dialog[open]")?.close());

  return { open };
})();
