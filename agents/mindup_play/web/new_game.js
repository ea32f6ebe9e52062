// The new-game screen: players, objectives, seats with their bots, seed and hints of another game,
// filled in like the current game; and the saved games.
import * as Dialogs from "./dialogs.js";
import { change } from "./memory.js";
import { at, button, element, get, list, ordinal, points } from "./page.js";

const [dialog, form] = [at("game-dialog"), at("game-form")];
let bots = []; // what the server offers, the strongest first
let opponents = []; // chosen for the seats after the person's

// Saved games: unfinished ones go on, finished ones are looked at. Those on the page are left out:
// these are their states, and the last is the current game.
function drawSaved(games, onPage) {
  const others = games.filter(({ game_id: id }) => !onPage.some((each) => each.game_id === id));
  at("no-saved-games").hidden = others.length > 0;
  at("saved-games").replaceChildren(...others.map((game) => {
    const { game_id: id, readable, over } = game;
    const open = over ? element("a", { class: "button", href: `?game=${id}` }, "Look at it")
      : button("Continue", () => dialog.close(id));
    const text = element("div", "", element("b", "", savedTitle(game)),
      element("small", "", savedDetails(game)));
    return element("li", "saved-game", text, readable && open, remover(id, onPage));
  }));
}

function savedTitle({ readable, over, place, names, points: count, round, turn }) {
  if (!readable) return "This game cannot be read";
  if (over) return `${ordinal(place)} of ${names.length}, ${points(count)}`;
  return `Round ${round}, turn ${turn} \u00b7 ${points(count)}`;
}

function savedDetails({ readable, names, seat, saved_at: seconds }) {
  const style = { dateStyle: "medium", timeStyle: "short" };
  const time = new Date(seconds * 1000).toLocaleString("en", style);
  return readable ? `${list(names.filter((_, player) => player !== seat))} · ${time}` : time;
}

function remover(id, onPage) {
  const made = button("\u2715", async () => {
    if (!confirm("Delete this game? It cannot be brought back.")) return;
    try {
      const { games } = await change("delete", onPage.at(-1), { saved_game: id });
      drawSaved(games, onPage);
    } catch (error) {
      made.replaceWith(element("small", "failed", error.message));
    }
  }, { class: "delete", "aria-label": "Delete", title: "Delete" });
  return made;
}

// The form

const chosen = (name) => Number(form.elements[name].value);

const radio = (name, value, text) => element(
  "label", "option", element("input", { type: "radio", name, value }), element("span", "", text));

const canPlay = ({ players }) => players.includes(chosen("players"));

const named = (bot) => bots.find((each) => each.bot === bot);

// The chosen bot of a seat, or the strongest one if that cannot play with so many.
const playing = (bot) => (named(bot) && canPlay(named(bot)) ? bot : bots.find(canPlay).bot);

function botOption(each) {
  const able = canPlay(each);
  const note = able ? each.strength : `not with ${chosen("players")} players`;
  const text = note === null ? each.bot : `${each.bot} · ${note}`;
  return element("option", { value: each.bot, disabled: !able && "" }, text);
}

// A row for each seat: the person's, and a bot for each other. Seats are shown from 1 on.
function drawSeats(wanted) {
  const players = chosen("players");
  at("seats").replaceChildren(...Array.from({ length: players }, (_, place) => (
    element("li", "seat", radio("seat", place, `Seat ${place + 1}`)))));
  form.elements.seat.value = Math.min(wanted, players - 1);
  drawBots();
}

function drawBots() {
  const rows = [...at("seats").children];
  for (const row of rows) row.querySelector("select, b")?.remove();
  rows[chosen("seat")].append(element("b", "", "You"));
  for (let after = 0; after < rows.length - 1; after += 1) {
    opponents[after] ??= opponents[after % (opponents.length || 1)] ?? bots[0].bot;
    const seat = (chosen("seat") + 1 + after) % rows.length;
    const select = element(
      "select", { "aria-label": `Bot at seat ${seat + 1}` }, bots.map(botOption));
    select.value = playing(opponents[after]);
    select.addEventListener("change", () => {
      opponents[after] = select.value;
      drawStrength();
    });
    rows[seat].append(select);
  }
  drawStrength();
}

// The strength of the opponents, if all have the same.
function drawStrength() {
  const present = new Set(read().opponents.map((bot) => named(bot).strength));
  for (const each of form.elements.strength) {
    each.checked = present.size === 1 && present.has(each.value);
  }
}

function useStrength(strength) {
  const able = bots.filter((each) => each.strength === strength && canPlay(each)).reverse();
  if (able.length) opponents = opponents.map((_, after) => able[after % able.length].bot);
  drawBots();
}

const read = () => ({
  players: chosen("players"),
  objectives: chosen("objectives"),
  seat: chosen("seat"),
  opponents: opponents.slice(0, chosen("players") - 1).map(playing),
  seed: form.elements.seed.value,
  hints: form.elements.hints.checked,
});

// The settings of a game, as the deal of another one takes them.
export const settingsOf = ({ names, objectives, seat, opponents: others, hint_bot: hint }) => ({
  players: names.length, objectives, seat, opponents: others, seed: "", hints: hint !== null,
});

function fill({ bots: offered }, state) {
  const game = settingsOf(state);
  bots = offered;
  opponents = [...game.opponents];
  const strengths = [...new Set(bots.map(({ strength }) => strength).filter(Boolean))].reverse();
  at("strength-choices").replaceChildren(
    ...strengths.map((each) => radio("strength", each, each)));
  form.elements.players.value = game.players;
  form.elements.objectives.value = game.objectives;
  drawSeats(game.seat);
  form.elements.seed.value = game.seed;
  form.elements.hints.checked = game.hints;
  at("game-error").textContent = "";
  const { seed, command } = state;
  at("seed-text").textContent = seed === null
    ? "The seed of this deal is shown when the game is over, because all hands follow from it."
    : `This deal has the seed ${seed}. The command deals it again:`;
  at("command").hidden = seed === null;
  at("command").textContent = command;
}

// Resolves with {dealt: its state}, or with {resume: id or ""}. `state` is the game on the page.
export async function open(state, current) {
  const [offer, saved] = await Promise.all([get("offer"), get("games")]);
  fill(offer, state);
  drawSaved(saved.games, [state, current]);
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
  const resume = await Dialogs.open(dialog);
  return dealt ? { dealt: await dealt } : { resume };
}

at("players-choices").append(...[2, 3, 4, 5, 6].map((each) => radio("players", each, each)));
at("objectives-choices").append(
  ...[0, 1, 2, 3, 4, 5].map((each) => radio("objectives", each, each)));
at("game-close").addEventListener("click", () => dialog.close());
at("players-choices").addEventListener("change", () => drawSeats(chosen("seat")));
at("seats").addEventListener("change", ({ target }) => target.name === "seat" && drawBots());
at("strength-choices").addEventListener("change", ({ target }) => useStrength(target.value));
