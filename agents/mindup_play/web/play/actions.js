"use strict";

// What the person starts, one action at a time. While one runs, no card can be chosen.
const Actions = (() => {
  const { classList } = document.body;
  let busy = false;
  let revealing = false;

  function setRevealing(now) {
    revealing = now;
    classList.toggle("revealing", now);
  }

  // An error is shown; `onStale` draws the current state if the game has continued elsewhere.
  async function run(action, onStale = () => {}) {
    if (busy) return;
    busy = true;
    Hand.lock(true);
    at("error").textContent = "";
    classList.add("busy");
    try {
      await action();
    } catch (error) {
      Server.showError(error);
      if (error.status === 409) await onStale();
    } finally {
      Animations.resume();
      busy = false;
      setRevealing(false);
      classList.remove("busy");
      Hand.lock(false);
      if (document.activeElement === document.body) Hand.focus();
    }
  }

  function skipReveal() {
    if (revealing) Animations.skip();
  }

  // While an action runs, keys only skip what is revealed.
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (busy) {
      if (!revealing || event.repeat || !["Enter", " ", "Escape"].includes(event.key)) return;
      skipReveal();
    } else if (event.target.closest("select, input") || Keys.isOff(event)) {
      return;
    } else if (!Keys.handle(event) && !Hand.handleKey(event)) {
      return;
    }
    event.preventDefault();
  }

  document.addEventListener("keydown", onKey);
  // The second click of a double click may come from the button that played the card.
  at("board").addEventListener("click", ({ detail }) => detail < 2 && skipReveal());

  return { run, setRevealing, isBusy: () => busy };
})();
