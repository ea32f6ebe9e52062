// The new-game screen: players, objectives, opponents, seed and hints of another game, filled in
// like the current game.
import { at, change, element, get, openDialog } from "./page.js";
import * as YourGames from "./your_games.js";

const ONE_BY_ONE = ""; // the strength of opponents that are chosen so
const dialog = at("game-dialog");
const form = at("game-form");
const { players, objectives, strength, seed, hints } = form.elements;
let bots = []; // what the server offers, the strongest first
let opponents = []; // the bots after the person
let seat = 0; // the person's, which stays

const canPlay = (bot) => bot.players[Math.min(objectives.value, 1)].includes(Number(players.value));
const named = (bot) => bots.find((each) => each.bot === bot);

function botOption(each) {
  const note = canPlay(each) ? each.strength : "not in this game";
  const text = note === null ? each.bot : `${each.bot} · ${note}`;
  return element("option", { value: each.bot, disabled: !canPlay(each) && "" }, text);
}

// A bot that cannot play this game makes room for the strongest one.
function choose(given, ofStrength = ONE_BY_ONE) {
  opponents = Array.from({ length: Number(players.value) - 1 }, (_, place) => {
    const bot = named(given[place % given.length]);
    return bot && canPlay(bot) ? bot.bot : bots.find(canPlay).bot;
  });
  at("opponents").replaceChildren(...opponents.map((bot, place) => {
    const name = `Opponent ${place + 1}`;
    const select = element("select", { "aria-label": name }, bots.map(botOption));
    select.value = bot;
    select.addEventListener("change", () => {
      opponents[place] = select.value;
      strength.value = ONE_BY_ONE;
    });
    return element("li", "field", element("span", "", name), select);
  }));
  strength.value = ofStrength;
}

// Keeps the strength, if one is chosen and bots of it can play.
function chooseAgain() {
  const able = bots.filter((each) => each.strength === strength.value && canPlay(each)).reverse();
  if (able.length) choose(able.map(({ bot }) => bot), strength.value);
  else choose(opponents);
}

const read = () => ({
  players: Number(players.value),
  objectives: Number(objectives.value),
  seat: Math.min(seat, Number(players.value) - 1),
  opponents,
  seed: seed.value,
  hints: hints.checked,
});

// The settings of a game, as the deal of another one takes them.
export const settingsOf = (state) => ({
  players: state.names.length,
  objectives: state.objectives,
  seat: state.person,
  opponents: state.opponents,
  seed: "",
  hints: state.hint_bot !== null,
});

function fill(offered, state) {
  const game = settingsOf(state);
  bots = offered;
  const strengths = [...new Set(bots.map((bot) => bot.strength).filter(Boolean))].reverse();
  strength.replaceChildren(
    new Option("one by one", ONE_BY_ONE), ...strengths.map((each) => new Option(each)));
  players.value = game.players;
  objectives.value = game.objectives;
  seat = game.seat;
  choose(game.opponents);
  seed.value = "";
  hints.checked = game.hints;
  at("game-error").textContent = "";
  at("seed-text").textContent = state.seed === null
    ? "The seed of this deal is shown when the game is over, because all hands follow from it."
    : `This deal has the seed ${state.seed}. The command deals it again:`;
  at("command").hidden = state.seed === null;
  const options = state.command?.split(/ (?=--)/) ?? [];
  at("command").replaceChildren(...options.flatMap((part) => [element("span", "", part), " "]));
}

// Resolves with {dealt: its state}, or with {resume: id or ""}; `state` is of the current game.
export async function open(state) {
  const answer = await get("games");
  fill(answer.bots, state);
  YourGames.draw(answer, state, dialog);
  let dealt = null; // the request, unless it was refused
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (dealt) return;
    dealt = change("deal", state, { settings: read() });
    const error = await dealt.then(() => null, (refusal) => refusal);
    at("game-error").textContent = error?.message ?? "";
    if (error && error.status !== 409) dealt = null;
    else dialog.close();
  };
  const resume = await openDialog(dialog);
  return dealt ? { dealt: await dealt } : { resume };
}

for (const each of [players, objectives, strength]) each.addEventListener("change", chooseAgain);
