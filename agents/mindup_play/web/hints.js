// When the person asks for them: the card that the hint bot would play, and its value of each card.
import * as Hand from "./hand.js";
import { announce } from "./narration.js";
import { at, get, pause, showError } from "./page.js";
import { choice, choose } from "./settings.js";

let areOn = choice("hints") === "on"; // by a button
let latest = 0; // the number of the last request; those before it stop

export function draw(state) {
  const { hint_bot: bot } = state;
  const offered = bot !== null && !state.table.over;
  clear();
  at("hint").hidden = !offered;
  at("hint").title = `Shows what ${bot} would play (h)`;
  at("hint").setAttribute("aria-pressed", areOn);
  if (areOn && offered) show(state).catch(showError);
}

// Removes the text, and stops the request that would write the next one.
export function clear() {
  latest += 1;
  at("hint-text").textContent = "";
}

// Asks until the bot is prepared, unless the page has gone on before.
async function show({ hint_bot: bot, game_id: id, turns_played: turn }) {
  const own = latest;
  at("hint-text").textContent = `${bot} is choosing…`;
  let reply = await get("hint");
  while (reply.preparing && own === latest) {
    at("hint-text").textContent = `${bot} is being prepared: once after installing, this takes a`
      + " minute or two. You can play on.";
    await pause();
    if (own === latest) reply = await get("hint");
  }
  if (own !== latest || reply.game_id !== id || reply.turns_played !== turn || !reply.hint) return;
  const { card, evaluation } = reply.hint;
  Hand.showHint(reply.hint);
  const text = `${bot} would play ${card}${evaluation ? `; at each card: ${evaluation.unit}` : ""}`;
  at("hint-text").textContent = text;
  announce(text);
}

export function toggle() {
  areOn = !areOn;
  choose("hints", areOn ? "on" : "off");
}
