// What is remembered: the turn that a request is for, what the person has chosen for this computer
// (cookies, which are the same for all ports), and what this tab keeps over a reload.
import { at, post } from "./page.js";

const PREFIX = "mindup-";

export const isSameTurn = (one, other) => (
  one.game_id === other.game_id && one.turns_played === other.turns_played);

export const isNextTurn = (from, to) => (
  isSameTurn({ ...from, turns_played: from.turns_played + 1 }, to));

// A change of the current game names the turn that it is for.
export const change = (path, { game_id: game, turns_played: turn }, body) => (
  post(path, { game, turn, ...body }));

export function choice(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${PREFIX}${name}=`));
  return found?.slice(found.indexOf("=") + 1) ?? null;
}

export function choose(name, value) {
  document.cookie = `${PREFIX}${name}=${value}; path=/; max-age=31536000; samesite=strict`;
}

// Whether a checkbox of the settings is checked, by its id.
export const isOn = (id) => at(id).checked;

export function setOn(id, on) {
  at(id).checked = on;
  choose(id, on ? "on" : "off");
}

// Until the next turn.
export function keep(name, { game_id, turns_played }, value) {
  try {
    const kept = { turn: { game_id, turns_played }, value };
    sessionStorage.setItem(PREFIX + name, JSON.stringify(kept));
  } catch { /* without storage a reload forgets */ }
}

export function recall(name, state) {
  try {
    const { turn, value } = JSON.parse(sessionStorage.getItem(PREFIX + name));
    return isSameTurn(turn, state) ? value : null;
  } catch {
    return null; // nothing is kept
  }
}
