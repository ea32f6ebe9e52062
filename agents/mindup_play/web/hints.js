// When the person asks for them: the card that the hint bot would play, and its value of each card.
import * as Hand from "./hand.js";
import { choice, choose, isSameTurn } from "./memory.js";
import { announce } from "./narration.js";
import { at, get, pause, showError } from "./page.js";

let areOn = choice("hints") === "on"; // by a button
let latest = 0; // the number of the last request; those before it stop
let isTold = false; // the text on waiting: it is not announced again in each turn

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
async function show(state) {
  const own = latest;
  const bot = state.hint_bot;
  at("hint-text").textContent = `${bot} is choosing…`;
  let answer = await get("hint");
  while (answer.preparing && own === latest) {
    say(`${bot} is being prepared: once after installing, this takes a minute or two. You can play`
      + " on.", isTold);
    isTold = true;
    await pause();
    if (own === latest) answer = await get("hint");
  }
  if (own !== latest || !isSameTurn(answer, state) || !answer.hint) return;
  const { card, evaluation } = answer.hint;
  Hand.showHint(answer.hint);
  say(`${bot} would play ${card}${evaluation ? `; at each card: ${evaluation.unit}` : ""}`);
}

function say(text, silently = false) {
  at("hint-text").textContent = text;
  if (!silently) announce(text);
}

export function toggle() {
  clear();
  isTold = false;
  areOn = !areOn;
  choose("hints", areOn ? "on" : "off");
  at("hint").setAttribute("aria-pressed", areOn);
}
