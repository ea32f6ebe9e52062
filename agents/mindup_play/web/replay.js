// The table of a recorded game, or of one that bots play now: its state after each turn.
import * as Animations from "./animations.js";
import * as Ask from "./ask.js";
import * as Graph from "./graph.js";
import { at, number } from "./page.js";
import { byRounds, ofRound } from "./scores.js";
import * as Stepper from "./stepper.js";
import * as Table from "./table.js";

const ALL = "all";
const PUBLIC = "public";
export const view = { showHidden: true };
export let tables = [];
let grows = false; // whether more turns may come
let viewer = ALL; // or PUBLIC, or the seat whose view is shown
let panel = null; // beside the table

const isOpen = (player) => viewer === ALL || viewer === player;

// The table without the cards that the viewer does not know.
function seenTable(table) {
  const players = table.players.map((player, seat) => (
    isOpen(seat) ? player : { ...player, hidden: player.hidden.map(() => null) }));
  return { ...table, players };
}

// Those of hidden cards are drawn with the hands.
function drawRings({ last_turn: turn }, choices) {
  const root = at("table");
  const ring = (kind, player, area, card) => root
    .querySelector(`.panel[data-player="${player}"] ${area} [data-card="${card}"]`)
    ?.classList.add(`mark-${kind}`);
  for (const { player, card } of tables[Stepper.shown + 1]?.last_turn.plays ?? []) {
    ring("played", player, ".hand-cards", card);
  }
  for (const [player, { card }] of (choices ?? []).entries()) {
    if (isOpen(player)) ring("asked", player, ".hand-cards", card);
  }
  for (const { player, prize } of turn?.last_cards ? [] : turn?.plays ?? []) {
    ring("taken", player, ".tableau", prize);
  }
  for (const line of at("legend").children) {
    line.hidden = !root.querySelector(`.mark-${line.dataset.ring}`);
  }
}

function draw() {
  const table = tables[Stepper.shown];
  const choices = Ask.choicesAt(Stepper.shown, tables);
  const values = choices?.map(({ evaluation }) => evaluation) ?? panel?.valuesAt(Stepper.shown);
  const evaluations = values?.map((each, player) => (isOpen(player) ? each : null));
  Table.draw(at("table"), seenTable(table), { ...view, evaluations });
  drawRings(table, choices);
  Ask.drawPredictions(choices, viewer, view);
  at("python").textContent = `Game.replay(json.load(open("mind-up.json")), turns=${Stepper.shown})`;
  const progress = table.over ? `The game is over: ${Table.result(table, view)}`
    : `${Table.progress(table)} · ${table.turns_played} played`;
  at("progress").textContent = progress;
  at("turn").setAttribute("aria-valuetext", progress);
  const scores = view.names.map((_, player) => tables.map(({ players }, turn) => (
    turn <= Stepper.shown ? players[player].total : null))); // nothing of turns to come
  const texts = { label: "Scores by turn", axis: "turns; dashed: end of a round" };
  at("graph").replaceChildren(graph(scores, { ...texts, format: number }));
  const rounds = table.round_scores.length;
  at("score-tables").replaceChildren(...(rounds
    ? [ofRound(table, view, rounds), byRounds(table, view)] : []));
  panel?.draw(Stepper.shown, viewer);
}

// A graph over the turns of this game; see graph.js for `content`.
export function graph(series, content) {
  const rounds = tables.flatMap(({ last_turn: turn }, index) => (turn?.last_cards ? [index] : []));
  const game = { shown: Stepper.shown, last: tables.length - 1, names: view.names, rounds };
  return Graph.draw(series, { ...game, ...content }, Stepper.step);
}

function show(turn, before) {
  Animations.skip();
  Animations.resume();
  if (Math.abs(turn - before) === 1) Animations.transition(at("table"), draw, 600);
  else draw();
}

// Who sees: ALL, PUBLIC or a seat.
export function setViewer(who) {
  viewer = who;
  at("viewer").value = who;
  draw();
}

// More turns of a game that is being played.
export function append(more, moreToCome) {
  tables.push(...more);
  grows = moreToCome;
  Stepper.update();
  if (more.length) draw();
}

// Adds a panel beside the table: draw(turn, viewer) draws it, and valuesAt(turn) are the
// evaluations of the cards of each player in a turn.
export function openPanel(opened) {
  panel = opened;
  draw();
}

// `game` is the name of the game in requests.
export function start(data, game) {
  ({ tables } = data);
  const { deck, names, bots, person } = data;
  Object.assign(view, { deck, names, bots, person });
  at("viewer").append(...view.names.map((name, player) => new Option(`View: ${name}`, player)));
  at("viewer").addEventListener("change", ({ target: { value } }) => (
    setViewer(value === ALL || value === PUBLIC ? value : Number(value))));
  Ask.start(game, data.ask, draw);
  Stepper.start({ last: () => tables.length - 1, grows: () => grows }, show);
  draw();
}
