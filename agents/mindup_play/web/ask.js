// What another bot would play in a turn of a game that is shown, and what it predicts of the
// opponents' cards.
import * as Cards from "./cards.js";
import { at, element, get, mark, showError } from "./page.js";

const OWN = "own"; // each bot about its own seat
const LEAST = 0.01; // rarer cards are left out
const answers = new Map(); // by bot and turn
let game = "";
let onAnswer = null;
let isWaiting = false; // one request at a time

// The choice of the bot at each seat after so many turns; null until it is known. What the bots of
// the seats made of a turn is known when it is played.
export function choicesAt(turn, tables) {
  const bot = at("asked").value;
  const key = `${bot} ${turn}`;
  const isMade = turn < tables.length - 1 || (bot !== OWN && !tables[turn].over);
  if (bot !== "" && isMade && !answers.has(key) && !isWaiting) request(bot, turn, key);
  at("ask-status").textContent = isWaiting && bot !== OWN ? `${bot} is choosing…` : "";
  return answers.get(key) ?? null;
}

async function request(bot, turn, key) {
  isWaiting = true;
  const answer = await get("ask", { game, bot, turn }).catch(showError);
  answers.set(key, answer?.choices ?? null);
  isWaiting = false;
  onAnswer();
}

// A row for each opponent: the cards that it may play, with their probabilities.
export function drawPredictions(choices, viewer, { deck, names }) {
  const predictions = choices?.[viewer]?.predictions ?? null;
  at("predictions").hidden = predictions === null;
  if (predictions === null) return;
  at("predictions-title").textContent = `What is expected of the others, seen by ${names[viewer]}`;
  at("predicted-cards").replaceChildren(...predictions.map((chances, after) => {
    const player = (viewer + 1 + after) % names.length;
    const likely = Object.entries(chances).filter(([, chance]) => chance >= LEAST);
    return element("li", "", element("b", "player-name", mark(names, player), names[player]),
      element("div", "hand-cards", likely.map(([card, chance]) => element("div", "evaluated",
        Cards.card(deck, Number(card), false),
        element("span", "card-value", Cards.probability(chance))))));
  }));
}

export function start(ofGame, bots, listener) {
  game = ofGame;
  onAnswer = listener;
  const name = (bot) => (bot === OWN ? "Own values" : `Ask ${bot}`);
  at("asked").append(...bots.map((bot) => new Option(name(bot), bot)));
  if (bots.includes(OWN)) at("asked").value = OWN;
  at("asked").addEventListener("change", listener);
}
