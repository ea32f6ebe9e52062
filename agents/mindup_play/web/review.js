// The view of a recorded game, perhaps with its review, or of a finished game on the server, which
// reviews it in the background. A review shows the most expensive mistakes, why the best card of
// the turn that is shown is better, the chances of all players, and what led to the result. Where
// the values are no chances, as with two players, only differences are shown.
import * as Cards from "./cards.js";
import * as Explain from "./explain.js";
import { at, button, change, element, get, pause, percent, post, showError } from "./page.js";
import * as Replay from "./replay.js";
import { row, table } from "./scores.js";
import * as Stepper from "./stepper.js";

const MOST_MISTAKES = 5;
const PREPARING = "The review is being prepared, once after installing: this takes a minute.";
const game = new URLSearchParams(location.search).get("game") ?? "";
const { view } = Replay;
let review = null;
let listed = null; // whose mistakes are

const choicesAt = (index) => review.choices.filter(({ turn }) => turn === index);
const smallCard = (card) => Cards.card(view.deck, card, false);

// The most expensive mistakes of the viewer, or of all players.
const worstOf = (viewer) => review.choices
  .filter(({ mistake, seat }) => mistake && (seat === viewer || !view.names[viewer]))
  .sort((one, other) => other.cost - one.cost)
  .slice(0, MOST_MISTAKES);

// A list with the focus stays while turns change.
function drawMistakes(viewer) {
  if (viewer === listed) return;
  listed = viewer;
  const worst = worstOf(viewer);
  const none = element("li", "note", "No choice was clearly worse than another.");
  at("mistakes-list").replaceChildren(...(worst.length ? worst.map(mistakeItem) : [none]));
}

// "-4.6%", "38 instead of 25", "Round 1, turn 5"
function mistakeTexts({ turn: index, played, best, cost }) {
  const { round, turn } = Replay.tables[index];
  return [difference(-cost), `${played} instead of ${best}`, `Round ${round}, turn ${turn}`];
}

function mistakeItem(choice) {
  const { seat, turn } = choice;
  const id = `mistake-${turn}-${seat}`;
  const [cost, cards, place] = mistakeTexts(choice);
  const content = [element("b", "", cost), element("span", "", cards),
    element("small", "", `${place} · ${view.names[seat]}`)];
  const goThere = () => {
    Stepper.step(turn);
    Replay.setViewer(seat);
    at(id).focus({ preventScroll: true }); // the list may be another's
  };
  return element("li", "", button(content, goThere, { class: "jump", id }));
}

const areChances = () => Cards.isProbability(review.unit);
const difference = (value) => Cards.formatDifference(review.unit, value);

function chancesGraph() {
  const series = view.names.map(() => Replay.tables.map(() => null));
  for (const { turn, seat, win_probability: chance } of review.choices) series[seat][turn] = chance;
  review.win_shares?.forEach((share, seat) => { series[seat][Replay.tables.length - 1] = share; });
  return Replay.graph(series, {
    format: (share) => percent(share),
    label: "Chance to win before each choice, from what each player could know",
    axis: "turns; dots: mistakes; dashed: end of a round",
    range: [0, 1],
    height: 260,
    labelHeight: 23,
    dots: review.choices.filter(({ mistake }) => mistake),
  });
}

function choicesTable(index) {
  const rows = choicesAt(index).map((choice) => {
    const { seat, played, best, win_probability: chance, cost, mistake } = choice;
    const cells = [smallCard(played), smallCard(best), mistake ? difference(-cost) : "\u2013"];
    const first = areChances() ? [percent(chance)] : [];
    return row(view.names[seat], [...first, ...cells], mistake && "mistake");
  });
  const heads = ["Player", ...(areChances() ? ["Chance"] : []), "Played", "Best", "Cost"];
  return rows.length ? table("figures", heads, rows)
    : element("p", "note", "No more cards are played.");
}

// What led to the result, in whole percent that add up: the rest is what the other parts leave.
function ledger() {
  const lines = review.win_shares.map((share, player) => {
    const [deal, cost, result] = [review.deal[player], review.costs[player], share].map((part) => (
      Math.round(100 * part)));
    return [deal, -cost, result - deal + cost, result];
  });
  const sum = lines[0].map((_, part) => lines.reduce((total, line) => total + line[part], 0));
  const rows = [...lines, sum].map((line, player) => row(
    view.names[player] ?? "Sum", line.map((part) => percent(part / 100)),
    player === view.person && "own"));
  return table("figures", ["Player", "Deal", "Choices", "Rest", "Result"], rows);
}

// Without a ledger, what all choices of each player cost.
const costs = () => table("figures", ["Player", "All choices"], view.names.map(
  (name, player) => row(name, [difference(-review.costs[player])])));

function drawTurn(index, viewer) {
  drawMistakes(viewer);
  const choice = choicesAt(index).find(({ seat }) => seat === viewer);
  const state = Replay.tables[index];
  at("why").hidden = !choice;
  if (choice) {
    at("why-text").textContent = Explain.sentence(choice, state, review.unit);
    at("why-text").classList.toggle("mistake", choice.mistake);
    at("prizes-table").replaceChildren(Explain.prizesTable(choice, state, view));
  }
  if (areChances()) at("chances-graph").replaceChildren(chancesGraph());
  at("choices-table").replaceChildren(choicesTable(index));
  at("play-on").disabled = state.over;
}

// The values of all players' cards: chances, or how much better the best card is.
function valuesAt(index) {
  const unit = areChances() ? review.unit : "difference in value";
  const seats = view.names.map(() => null);
  for (const { seat, values, win_probability: best } of choicesAt(index)) {
    const shown = Object.entries(values).map(([card, value]) => (
      [card, areChances() ? value : value - best]));
    seats[seat] = { unit, values: Object.fromEntries(shown) };
  }
  return seats;
}

// The person whose game this is can play on from a turn.
function showReview(data) {
  const { person } = view;
  review = data;
  at("reviewing").hidden = true;
  at("findings").hidden = false;
  for (const each of document.querySelectorAll(".chances")) each.hidden = !areChances();
  at("differences").hidden = areChances();
  const isWhole = areChances() && review.win_shares !== null;
  at("ledger-title").textContent = isWhole ? "From deal to result" : "What all choices cost";
  at("ledger").replaceChildren(isWhole ? ledger() : costs());
  at("ledger-text").hidden = !isWhole;
  at("again").hidden = person === null;
  Replay.openPanel({ draw: drawTurn, valuesAt });
  if (person !== null) {
    Replay.setViewer(person);
    keepDecided(worstOf(person));
  }
  if (!location.hash) at("mistakes-list").querySelector("button")?.click();
}

// The person's most expensive mistake, for the end of the game.
function keepDecided([worst]) {
  if (!worst) return;
  const [cost, cards, place] = mistakeTexts(worst);
  const what = `${areChances() ? "chance to win" : "value"} ${cost}`;
  sessionStorage.setItem(`decided ${game}`, `Most expensive choice: ${cards}, ${what} (${place})`);
}

async function reviewed() {
  document.body.classList.add("with-analysis");
  let answer = await post("review", { game });
  while (!answer.review) {
    at("review-progress").value = answer.progress;
    at("review-text").textContent = answer.preparing ? PREPARING : "Reviewing the game…";
    await pause();
    answer = await post("review", { game });
  }
  return answer.review;
}

async function tryAgain() {
  await change("try-again", await get("state"), { saved_game: game, turns: Stepper.shown });
  location.assign("./");
}

async function start() {
  const data = await get("replay", { game });
  Replay.start(data, game);
  if (location.pathname !== "/") { // there is a table to go back to
    at("to-table").hidden = at("save-record").hidden = false;
    at("save-record").href = `record?game=${game}`;
    at("play-on").addEventListener("click", () => tryAgain().catch(showError));
  }
  if (data.reviewed) showReview(await reviewed());
}

start().catch((error) => {
  document.body.classList.remove("with-analysis");
  showError(error);
});
