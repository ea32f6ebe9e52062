// Which turn is shown: chosen by buttons, keys, the slider or the address, or moving on by itself.
import { at } from "./page.js";

export let shown = 0;
let timer = null; // while it moves on by itself
let game = null; // its last turn now, last(), and whether more may come, grows()
let onChange = null;

// "#12" is the table after 12 turns.
const addressed = () => Number.parseInt(location.hash.slice(1), 10) || 0;

function go(turn) {
  const before = shown;
  shown = Math.min(Math.max(turn, 0), game.last());
  if (shown === before) return;
  if (addressed() !== shown) history.replaceState(null, "", `#${shown}`);
  update();
  onChange(shown, before);
}

// Call this too when there are more turns.
export function update() {
  const last = game.last();
  Object.assign(at("turn"), { max: last, value: shown });
  // Not `disabled`: a disabled button loses the focus.
  at("first").ariaDisabled = at("previous").ariaDisabled = String(shown === 0);
  at("last").ariaDisabled = at("next").ariaDisabled = String(shown === last);
  at("play").ariaPressed = String(timer !== null);
}

export function play() {
  if (shown === game.last() && !game.grows()) go(0);
  schedule();
}

// At the end of a game that is still played, it waits for the next turn.
function schedule() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    go(shown + 1);
    if (shown < game.last() || game.grows()) schedule();
    else pause();
  }, Number(at("speed").value)); // milliseconds
  update();
}

function pause() {
  clearTimeout(timer);
  timer = null;
  update();
}

// A step by hand ends the movement.
export function step(turn) {
  pause();
  go(turn);
}

const KEYS = {
  ArrowLeft: () => step(shown - 1),
  ArrowRight: () => step(shown + 1),
  Home: () => step(0),
  End: () => step(game.last()),
  " ": () => (timer === null ? play() : pause()),
};

function onKey(event) {
  const { ctrlKey, metaKey, altKey, key, target } = event;
  if (ctrlKey || metaKey || altKey || !(key in KEYS)) return;
  if (target.closest(key === " " ? "button, a, input, select, summary" : "select, summary")) return;
  event.preventDefault();
  KEYS[key]();
}

export function start(ofGame, listener) {
  game = ofGame;
  onChange = listener;
  at("speed").addEventListener("change", () => timer !== null && schedule());
  document.addEventListener("keydown", onKey);
  for (const each of document.querySelectorAll("[data-key]")) {
    each.addEventListener("click", KEYS[each.dataset.key]);
  }
  at("turn").addEventListener("input", () => step(at("turn").valueAsNumber));
  window.addEventListener("hashchange", () => step(addressed()));
  shown = Math.min(addressed(), game.last());
  update();
}
