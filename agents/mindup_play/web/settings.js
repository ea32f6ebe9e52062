// What a person chooses for all games, and the keys. Cookies keep it: they are the same for all
// ports of this computer.
import * as Animations from "./animations.js";
import { at, openDialog } from "./page.js";

export const choice = (name) => (
  document.cookie.match(`(?:^|; )mindup-${name}=([^;]*)`)?.[1] ?? null);

export function choose(name, value) {
  document.cookie = `mindup-${name}=${value}; path=/; max-age=31536000; samesite=strict`;
}

// Whether a checkbox of the settings is checked, by its id.
export const isOn = (id) => at(id).checked;

export function setOn(id, on) {
  at(id).checked = on;
  choose(id, on ? "on" : "off");
}

for (const box of document.querySelectorAll("#settings-dialog [type=checkbox]")) {
  box.checked = (choice(box.id) ?? (box.defaultChecked ? "on" : "off")) === "on";
  box.addEventListener("change", () => setOn(box.id, box.checked));
}

export function open() {
  at("reduced-motion").hidden = !Animations.isReduced();
  return openDialog(at("settings-dialog"));
}

// How fast a turn is shown: how many times as long as at normal speed; "wait" holds the result
// until the person goes on, which is the default without motion, where there is nothing to watch.
const FACTORS = { wait: 1, slow: 1.8, normal: 1, fast: 0.45, none: 0 };
const speed = at("speed");

function useSpeed(value) {
  speed.value = value;
  Animations.setFactor(FACTORS[value]);
}

export const holdsResults = () => speed.value === "wait";

const kept = choice("speed");
useSpeed(kept in FACTORS ? kept : Animations.isReduced() ? "wait" : "normal");
speed.addEventListener("change", () => {
  choose("speed", speed.value);
  useSpeed(speed.value);
});

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

// Clicks the button that a key belongs to; whether there is one.
export function handleKey({ key }) {
  const found = withKeys.find(({ dataset }) => dataset.key === key);
  if (found && !found.hidden) found.click();
  return found !== undefined;
}
