// Dialogs over the table, and the settings that one of them shows.
import * as Animations from "./animations.js";
import { choice, choose, isOn, setOn } from "./memory.js";
import { at } from "./page.js";

const next = (target, event) => (
  new Promise((resolve) => { target.addEventListener(event, resolve, { once: true }); }));

// Resolves with the value of the button that closes the dialog. Each dialog is an entry of the
// history, so that Back closes it.
export async function open(dialog) {
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

export function openSettings() {
  at("reduced-motion").hidden = !Animations.isReduced();
  return open(at("settings-dialog"));
}

for (const box of document.querySelectorAll("#settings-dialog [type=checkbox]")) {
  box.checked = (choice(box.id) ?? (box.defaultChecked ? "on" : "")) === "on";
  box.addEventListener("change", () => setOn(box.id, box.checked));
}

// How fast a turn is shown: how many times as long as at normal speed; "wait" holds the result
// until the person goes on, which is the default without motion, where there is nothing to watch.
const FACTORS = { wait: 1, slow: 1.8, normal: 1, fast: 0.45, none: 0 };
const speed = at("speed");
const kept = choice("speed");

const applySpeed = () => Animations.setFactor(FACTORS[speed.value]);

export const holdsResults = () => speed.value === "wait";

speed.value = kept in FACTORS ? kept : Animations.isReduced() ? "wait" : "normal";
speed.addEventListener("change", () => {
  choose("speed", speed.value);
  applySpeed();
});
applySpeed();

// Keys of single letters and digits. They can be switched off, for people who speak to their
// computer or press keys by accident; arrow keys and Enter always work.
const withKeys = [...document.querySelectorAll("[data-key]")];

function showKeys() {
  const areOn = isOn("single-keys");
  document.body.classList.toggle("without-keys", !areOn);
  for (const each of withKeys) each.ariaKeyShortcuts = areOn ? each.dataset.key : null;
}

at("single-keys").addEventListener("change", showKeys);
showKeys();

export const isKeyOff = ({ key }) => !isOn("single-keys") && key.length === 1 && key !== " ";

// Clicks the button that a key belongs to; whether there is one.
export function handleKey({ key }) {
  const found = withKeys.find(({ dataset }) => dataset.key === key);
  if (found && !found.hidden) found.click();
  return found !== undefined;
}
