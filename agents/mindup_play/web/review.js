// The view of a recorded game, perhaps with its review, or of a finished game on the server, which
// reviews it in the background. A review shows the most expensive mistakes, why the best card of
// the turn that is shown is better, the chances of all players, and what the deal was worth.
import { card as cardOf } from "./cards.js";
import {
  at, button, element, get, number, pause, percent, post, showError, signed,
} from "./page.js";
import { change } from "./memory.js";
import * as Replay from "./replay.js";
import { row, table } from "./scores.js";
import * as Stepper from "./stepper.js";

const MOST_MISTAKES = 5;
const SMALL = 0.05; // of a mistake that costs less
const ALL_PLAYERS = "all";
const ABOUT_MISTAKES = "A choice counts as a mistake only where chance can hardly explain the"
  + " difference. It is judged by what the player could know then, not by the cards of the others.";
const ABOUT_CHANCES = "Chance: to win with the best card, as far as that player could know. So the"
  + " chances of all players need not add up to 100 %.";
const PREPARING = "The review is being prepared: once after installing, this takes a minute or"
  + " two.";
const game = new URLSearchParams(location.search).get("game") ?? "";
let review = null;
let current = null; // the game that another try replaces

const choicesAt = (index) => review.choices.filter(({ turn }) => turn === index);

const asChange = (share) => number(share, {
  style: "percent",
  maximumFractionDigits: Math.abs(share) < 0.095 ? 1 : 0,
  signDisplay: "exceptZero",
});

const section = (id, title, ...content) => (
  element("section", { id }, element("h2", "", title), content));

const note = (text) => element("p", "note", text);

const smallCard = (card) => cardOf(Replay.deck(), card, false);

// Only of a mistake: other differences may be chance.
const grade = ({ cost }) => (cost < SMALL ? "Small mistake" : "Mistake");

function chancesSection() {
  const series = Replay.names().map(() => Replay.tables.map(() => null));
  for (const { turn, seat, win_probability: chance } of review.choices) series[seat][turn] = chance;
  review.win_shares?.forEach((share, seat) => { series[seat][Replay.tables.length - 1] = share; });
  const mistakes = review.choices.filter(({ mistake }) => mistake);
  const graph = Replay.graph(series, {
    format: (share) => percent(share),
    label: "Chance to win before each choice, from what each player could know",
    axis: "turns; dots: mistakes; dashed: end of a round",
    range: [0, 1],
    height: 260,
    labelHeight: 23,
    dots: mistakes.map(({ seat, turn }) => ({ player: seat, turn })),
  });
  return section("chances", "Chance to win", element("div", { id: "chances-graph" }, graph));
}

function turnSection(index) {
  const rows = choicesAt(index).map((choice) => {
    const { seat, played, best, win_probability: chance, cost, margin, mistake } = choice;
    const title = mistake && `give or take ${percent(margin, 1)}`;
    const costs = element("span", { title }, mistake ? asChange(-cost) : "\u2013");
    const cells = [percent(chance), smallCard(played), smallCard(best), costs];
    return row(Replay.names()[seat], cells, mistake && "mistake");
  });
  const heads = ["Player", "Chance", "Played", "Best", "Cost"];
  const content = rows.length ? [table("figures", heads, rows), note(ABOUT_CHANCES)]
    : note("No more cards are played.");
  return section("this-turn", "Choices of this turn", content);
}

// What the better card of the viewer's mistake would have taken, as the others played, and why that
// is better. In the last turn of a round, the other card goes into the tableau.
function whySection(index, viewer) {
  const choice = choicesAt(index).find(({ seat, mistake }) => seat === viewer && mistake);
  if (!choice) return element("section", { id: "why" });
  const { played, best, cost } = choice;
  const { turn, num_turns: turns, row: prizes } = Replay.tables[index];
  const others = Replay.tables[index + 1].last_turn.plays.filter(({ player }) => player !== viewer);
  const [taken, better] = [played, best].map((card) => (
    prizes[others.filter((play) => play.card < card).length].prize));
  const [less, more] = [taken, better].map((prize) => pointsOf(prize, index, viewer));
  const kept = `kept ${played} `
    + (turn === turns ? "as the last card of the round" : "for a later turn");
  let why = `${best} would have taken ${better} (${signed(more)})`;
  if (taken === better) why = `${best} would have taken ${taken} too, and ${kept}.`;
  else if (more > less) why += `; ${played} took ${taken} (${signed(less)}).`;
  else why += ` rather than ${taken} (${signed(less)}), and ${kept}.`;
  const costs = `That is ${percent(cost, 1)} more chance to win.`;
  return element("section", { id: "why" },
    element("p", "", element("b", "", `${grade(choice)}: `), `${why} ${costs}`));
}

// What a prize brings in the column of its colour, or in the next empty one.
function pointsOf(prize, index, viewer) {
  const deck = Replay.deck();
  const { players, score_cards: values } = Replay.tables[index];
  const { colour, points } = deck[prize - 1];
  const { tableau } = players[viewer];
  const column = tableau.findIndex(([first]) => !first || deck[first - 1].colour === colour);
  return values[column] + points;
}

function showChoice({ turn, seat }) {
  Stepper.step(turn);
  Replay.setViewer(seat);
}

function mistakeItem(choice) {
  const { seat, played, best, cost } = choice;
  const { round, turn } = Replay.tables[choice.turn];
  const content = [
    element("b", "", asChange(-cost)),
    element("span", "", `${played} instead of ${best}`),
    element("small", "", `Round ${round}, turn ${turn} · ${Replay.names()[seat]}`),
  ];
  const onClick = () => showChoice(choice);
  return element("li", "", button(content, onClick, { class: "jump", title: grade(choice) }));
}

function mistakesSection(person) {
  const players = Replay.names().map((name, seat) => new Option(name, seat));
  const select = element("select", { id: "whose", "aria-label": "Whose mistakes" },
    new Option("All players", ALL_PLAYERS), players);
  const found = () => review.choices.filter(({ mistake, seat }) => (
    mistake && [ALL_PLAYERS, String(seat)].includes(select.value)));
  const next = button("Next mistake", () => (
    showChoice(found().find(({ turn }) => turn > Stepper.shown) ?? found()[0])
  ), { id: "next-mistake" });
  const list = element("ol", { id: "mistakes-list" });
  function drawList() {
    const worst = found().sort((one, other) => other.cost - one.cost).slice(0, MOST_MISTAKES);
    const none = element("li", "note", "No choice was clearly worse than another.");
    list.replaceChildren(...(worst.length ? worst.map(mistakeItem) : [none]));
    next.disabled = !worst.length;
  }
  if (person !== null) select.value = person;
  select.addEventListener("change", drawList);
  drawList();
  return section("mistakes", "Most expensive mistakes", select, next, list, note(ABOUT_MISTAKES));
}

async function tryAgain(turns) {
  await change("try-again", current, { saved_game: game, turns });
  location.assign("./");
}

function againSection(index) {
  const { over } = Replay.tables[index];
  const text = over ? "Go to an earlier turn to play on from it."
    : "The same deal and the same turns before this one, against bots.";
  const play = !over && button("Play on from here", () => tryAgain(index).catch(showError));
  return section("again", "Try again from here", note(text), play);
}

// What the deal was worth, and the mistakes.
function luckSection() {
  const names = Replay.names();
  const rows = names.map((name, player) => {
    const own = review.choices.filter(({ seat, mistake }) => mistake && seat === player);
    const small = own.filter(({ cost }) => cost < SMALL).length;
    return row(name, [percent(review.deal[player]), own.length - small, small]);
  });
  const heads = ["Player", "Deal", "Mistakes", "Small ones"];
  const about = "Deal: the chance to win with these cards, as each player could estimate it at the"
    + ` start; an equal share is ${percent(1 / names.length, 1)}. A small mistake costs less`
    + " than 5 %.";
  return section("luck", "Luck and skill", table("figures", heads, rows), note(about));
}

// `person` is the seat of the person whose game this is, who can play on from a turn, or null.
function showReview(data, person) {
  review = data;
  const own = person === null ? [] : [againSection];
  Replay.openPanel(
    mistakesSection(person), whySection, chancesSection, turnSection, ...own, luckSection());
  Replay.setEvaluations(Replay.tables.map((_, index) => {
    const seats = Replay.names().map(() => null);
    for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
    return seats;
  }));
  if (person !== null) Replay.setViewer(person);
  if (!location.hash) at("mistakes-list").querySelector("button")?.click();
}

const showProgress = (value, text) => Replay.openPanel(section(
  "reviewing",
  "Review",
  element("progress", { id: "review-progress", value, "aria-label": "Reviewing the game…" }),
  note(text),
));

async function reviewed() {
  const turn = Replay.tables.length - 1;
  showProgress(0, "Reviewing the game…");
  let answer = await post("review", { game, turn });
  while (!answer.review) {
    showProgress(answer.progress, answer.preparing ? PREPARING : "Reviewing the game…");
    await pause();
    answer = await post("review", { game, turn });
  }
  return answer.review;
}

async function start() {
  const data = await get("replay", { game });
  Replay.start(data);
  if ("review" in data) {
    if (data.review) showReview(data.review, null);
    return;
  }
  at("to-table").hidden = false;
  current = await get("state");
  showReview(await reviewed(), data.seat);
}

start().catch((error) => {
  Replay.openPanel();
  showError(error);
});
