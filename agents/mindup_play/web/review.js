// The view of a recorded game, perhaps with its review, or of a finished game on the server, which
// reviews it in the background. A review shows the most expensive mistakes, why the best card of
// the turn that is shown is better, the chances of all players, and what the deal was worth.
import * as Cards from "./cards.js";
import {
  at, button, change, element, get, pause, percent, post, showError, signed,
} from "./page.js";
import * as Replay from "./replay.js";
import { row, table } from "./scores.js";
import * as Stepper from "./stepper.js";

const MOST_MISTAKES = 5;
const PREPARING = "The review is being prepared: once after installing, this takes a minute or"
  + " two.";
const game = new URLSearchParams(location.search).get("game") ?? "";
const { view } = Replay;
let review = null;

const choicesAt = (index) => review.choices.filter(({ turn }) => turn === index);
const smallCard = (card) => Cards.card(view.deck, card, false);

function drawMistakes() {
  const whose = at("whose").value;
  const worst = review.choices
    .filter(({ mistake, seat }) => mistake && ["all", String(seat)].includes(whose))
    .sort((one, other) => other.cost - one.cost)
    .slice(0, MOST_MISTAKES);
  const none = element("li", "note", "No choice was clearly worse than another.");
  at("mistakes-list").replaceChildren(...(worst.length ? worst.map(mistakeItem) : [none]));
}

function mistakeItem(choice) {
  const { seat, played, best, cost } = choice;
  const { round, turn } = Replay.tables[choice.turn];
  const content = [
    element("b", "", percent(-cost, 1)),
    element("span", "", `${played} instead of ${best}`),
    element("small", "", `Round ${round}, turn ${turn} · ${view.names[seat]}`),
  ];
  const goThere = () => {
    Stepper.step(choice.turn);
    Replay.setViewer(seat);
  };
  return element("li", "", button(content, goThere, { class: "jump" }));
}

// What the better card of the viewer's mistake would have taken, as the others played, and why that
// is better. In the last turn of a round, the other card goes into the tableau.
function why(index, viewer) {
  const choice = choicesAt(index).find(({ seat, mistake }) => seat === viewer && mistake);
  if (!choice) return "";
  const { played, best, cost } = choice;
  const { turn, num_turns: turns, row: prizes } = Replay.tables[index];
  const others = Replay.tables[index + 1].last_turn.plays.filter(({ player }) => player !== viewer);
  const [taken, better] = [played, best].map((card) => (
    prizes[others.filter((play) => play.card < card).length].prize));
  const [less, more] = [taken, better].map((prize) => pointsOf(prize, index, viewer));
  const kept = `kept ${played} `
    + (turn === turns ? "as the last card of the round" : "for a later turn");
  let text = `${best} would have taken ${better} (${signed(more)})`;
  if (taken === better) text = `${best} would have taken ${taken} too, and ${kept}`;
  else if (more > less) text += `; ${played} took ${taken} (${signed(less)})`;
  else text += ` rather than ${taken} (${signed(less)}), and ${kept}`;
  return `Mistake: ${text}. That is ${percent(cost, 1)} more chance to win.`;
}

// What a prize brings in the column of its colour, or in the next empty one.
function pointsOf(prize, index, viewer) {
  const { players, score_cards: values } = Replay.tables[index];
  const { colour, points } = view.deck[prize - 1];
  const column = players[viewer].tableau.findIndex(([first]) => (
    !first || view.deck[first - 1].colour === colour));
  return values[column] + points;
}

function chancesGraph() {
  const series = view.names.map(() => Replay.tables.map(() => null));
  for (const { turn, seat, win_probability: chance } of review.choices) series[seat][turn] = chance;
  review.win_shares?.forEach((share, seat) => { series[seat][Replay.tables.length - 1] = share; });
  const mistakes = review.choices.filter(({ mistake }) => mistake);
  return Replay.graph(series, {
    format: (share) => percent(share),
    label: "Chance to win before each choice, from what each player could know",
    axis: "turns; dots: mistakes; dashed: end of a round",
    range: [0, 1],
    height: 260,
    labelHeight: 23,
    dots: mistakes.map(({ seat, turn }) => ({ player: seat, turn })),
  });
}

function choicesTable(index) {
  const rows = choicesAt(index).map((choice) => {
    const { seat, played, best, win_probability: chance, cost, margin, mistake } = choice;
    const title = mistake && `give or take ${percent(margin, 1)}`;
    const costs = element("span", { title }, mistake ? percent(-cost, 1) : "\u2013");
    const cells = [percent(chance), smallCard(played), smallCard(best), costs];
    return row(view.names[seat], cells, mistake && "mistake");
  });
  return rows.length ? table("figures", ["Player", "Chance", "Played", "Best", "Cost"], rows)
    : element("p", "note", "No more cards are played.");
}

// What the deal was worth, and the mistakes.
const luckTable = () => table("figures", ["Player", "Deal", "Mistakes"], view.names.map(
  (name, player) => row(name, [
    percent(review.deal[player]),
    review.choices.filter(({ seat, mistake }) => mistake && seat === player).length,
  ]),
));

function drawTurn(index, viewer) {
  at("why").textContent = why(index, viewer);
  at("chances-graph").replaceChildren(chancesGraph());
  at("choices-table").replaceChildren(choicesTable(index));
  at("play-on").disabled = Replay.tables[index].over;
}

// `person` is the seat of the person whose game this is, who can play on from a turn, or null.
function showReview(data, person) {
  review = data;
  at("reviewing").hidden = true;
  at("findings").hidden = false;
  at("whose").append(...view.names.map((name, seat) => new Option(name, seat)));
  at("whose").value = person ?? "all";
  at("whose").addEventListener("change", drawMistakes);
  drawMistakes();
  at("luck-table").replaceChildren(luckTable());
  at("again").hidden = person === null;
  Replay.openPanel(Replay.tables.map((_, index) => {
    const seats = view.names.map(() => null);
    for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
    return seats;
  }), drawTurn);
  if (person !== null) Replay.setViewer(person);
  const worst = at("mistakes-list").querySelector("button");
  if (person !== null && worst) sessionStorage.setItem(`decided ${game}`, decided(worst));
  if (!location.hash) worst?.click();
}

// The person's most expensive mistake, for the end of the game.
const decided = ({ children: [cost, cards, where] }) => (
  `The most expensive choice: ${cards.textContent}, ${cost.textContent} (${where.textContent})`);

async function reviewed() {
  const body = { game, turn: Replay.tables.length - 1 };
  document.body.classList.add("with-analysis");
  let answer = await post("review", body);
  while (!answer.review) {
    at("review-progress").value = answer.progress;
    at("review-text").textContent = answer.preparing ? PREPARING : "Reviewing the game…";
    await pause();
    answer = await post("review", body);
  }
  return answer.review;
}

async function tryAgain() {
  await change("try-again", await get("state"), { saved_game: game, turns: Stepper.shown });
  location.assign("./");
}

async function start() {
  const data = await get("replay", { game });
  Replay.start(data);
  if ("review" in data) {
    if (data.review) showReview(data.review, null);
    return;
  }
  at("to-table").hidden = false;
  at("play-on").addEventListener("click", () => tryAgain().catch(showError));
  showReview(await reviewed(), data.seat);
}

start().catch((error) => {
  document.body.classList.remove("with-analysis");
  showError(error);
});
