// The new-game screen: players, objectives, seats with their bots, seed and hints of another game,
// filled in like the current game.
import { at, change, element, get, openDialog } from "./page.js";
import * as YourGames from "./your_games.js";

const YOU = ""; // the person, among the bots of seats
const MIXED = ""; // the strength of opponents that have several
const dialog = at("game-dialog");
const form = at("game-form");
const { players, objectives, strength, seed, hints } = form.elements;
let bots = []; // what the server offers, the strongest first
let seats = []; // YOU, or the bot there

const canPlay = ({ players: able }) => able.includes(Number(players.value));
const named = (bot) => bots.find((each) => each.bot === bot);

function botOption(each) {
  const note = canPlay(each) ? each.strength : `not with ${players.value} players`;
  const text = note === null ? each.bot : `${each.bot} · ${note}`;
  return element("option", { value: each.bot, disabled: !canPlay(each) && "" }, text);
}

// The seats of so many players. A bot that cannot play with them makes room for the strongest one.
const seated = (count, own, others) => Array.from({ length: count }, (_, seat) => {
  const bot = named(others[(seat - own - 1 + count) % count % others.length]);
  return seat === own ? YOU : bot && canPlay(bot) ? bot.bot : bots.find(canPlay).bot;
});

// A select for each seat; seats are shown from 1 on. The person changes places with a bot.
function drawSeats() {
  at("seats").replaceChildren(...seats.map((bot, seat) => {
    const select = element("select", { "aria-label": `Seat ${seat + 1}` },
      new Option("You", YOU), bot === YOU ? [] : bots.map(botOption));
    select.value = bot;
    select.addEventListener("change", () => {
      if (select.value === YOU) seats[seats.indexOf(YOU)] = bot;
      seats[seat] = select.value;
      drawSeats();
      at("seats").children[seat].querySelector("select").focus();
    });
    return element("li", "field", element("span", "", `Seat ${seat + 1}`), select);
  }));
  const strengths = new Set(opponents().map((each) => named(each).strength));
  strength.value = strengths.size === 1 ? [...strengths][0] : MIXED;
}

function changePlayers() {
  const count = Number(players.value);
  seats = seated(count, Math.min(seats.indexOf(YOU), count - 1), opponents());
  drawSeats();
}

function changeStrength() {
  const able = bots.filter((each) => each.strength === strength.value && canPlay(each)).reverse();
  if (able.length) seats = seated(seats.length, seats.indexOf(YOU), able.map(({ bot }) => bot));
  drawSeats();
}

// The bots after the person.
function opponents() {
  const own = seats.indexOf(YOU);
  return [...seats.slice(own + 1), ...seats.slice(0, own)];
}

const read = () => ({
  players: Number(players.value),
  objectives: Number(objectives.value),
  seat: seats.indexOf(YOU),
  opponents: opponents(),
  seed: seed.value,
  hints: hints.checked,
});

// The settings of a game, as the deal of another one takes them.
export const settingsOf = (state) => ({
  players: state.names.length,
  objectives: state.objectives,
  seat: state.seat,
  opponents: state.opponents,
  seed: "",
  hints: state.hint_bot !== null,
});

function fill(offer, state) {
  const game = settingsOf(state);
  bots = offer.bots;
  const strengths = [...new Set(bots.map((bot) => bot.strength).filter(Boolean))].reverse();
  strength.replaceChildren(
    new Option("mixed", MIXED), ...strengths.map((each) => new Option(each)));
  players.value = game.players;
  objectives.value = game.objectives;
  seats = seated(game.players, game.seat, game.opponents);
  drawSeats();
  seed.value = "";
  hints.checked = game.hints;
  at("game-error").textContent = "";
  at("seed-text").textContent = state.seed === null
    ? "The seed of this deal is shown when the game is over, because all hands follow from it."
    : `This deal has the seed ${state.seed}. The command deals it again:`;
  at("command").hidden = state.seed === null;
  at("command").textContent = state.command;
}

// Resolves with {dealt: its state}, or with {resume: id or ""}. `state` is the game on the page.
export async function open(state, current) {
  const [offer, saved] = await Promise.all([get("offer"), get("games")]);
  fill(offer, state);
  YourGames.draw(saved, [state, current], dialog);
  let dealt = null; // the request, unless it was refused
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (dealt) return;
    dealt = change("deal", current, { settings: read() });
    const error = await dealt.then(() => null, (refusal) => refusal);
    at("game-error").textContent = error?.message ?? "";
    if (error && error.status !== 409) dealt = null;
    else dialog.close();
  };
  const resume = await openDialog(dialog);
  return dealt ? { dealt: await dealt } : { resume };
}

players.addEventListener("change", changePlayers);
strength.addEventListener("change", changeStrength);
