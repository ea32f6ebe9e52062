// The view of a person's game: requests it from the server, draws it, and sends the person's card.
import * as Animations from "./animations.js";
import * as Hand from "./hand.js";
import * as Hints from "./hints.js";
import * as Learn from "./learn.js";
import * as Narration from "./narration.js";
import * as NewGame from "./new_game.js";
import { at, change, get, showError } from "./page.js";
import * as Results from "./results.js";
import * as Reveal from "./reveal.js";
import * as Settings from "./settings.js";
import * as Table from "./table.js";

const AGAIN = "play-again"; // the value of a button that closes the scores
let state = null; // of the game; the view of its table too, see table.js
let running = null; // what runs: an action, or the reveal of a turn, which can be skipped

function setRunning(what) {
  running = what;
  document.body.classList.toggle("busy", what !== null);
  document.body.classList.toggle("revealing", what === "reveal");
}

// What the person starts, one action at a time. While one runs, no card can be chosen. An error is
// shown; if the game has continued elsewhere, its current state is drawn.
async function run(action) {
  if (running) return;
  setRunning("action");
  Hand.lock(true);
  at("error").textContent = "";
  try {
    await action();
  } catch (error) {
    showError(error);
    if (error.status === 409) {
      state = await get("state").catch(() => state);
      draw();
    }
  } finally {
    Animations.resume();
    setRunning(null);
    Hand.lock(false);
    // After a dialog, the focus may still be in it.
    if (document.activeElement.matches("body, dialog *")) focusTable();
  }
}

const focusTable = () => (state?.table.over ? at("end-title").focus() : Hand.focus());

const skipReveal = () => running === "reveal" && Animations.skip();

// While an action runs, keys only skip what is revealed.
function onKey(event) {
  const { ctrlKey, metaKey, altKey, key, repeat, target } = event;
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
  if (running === "reveal") {
    if (!["Enter", " ", "Escape"].includes(key)) return;
    if (!repeat) skipReveal();
  } else {
    const isOff = key.length === 1 && !Settings.isOn("single-keys");
    if (running || isOff || target.closest("select, summary")) return;
    if (!Settings.handleKey(event) && !Hand.handleKey(event)) return;
  }
  event.preventDefault();
}

// `changes` are what the reveal of a turn changes in the view.
function drawStep(table, changes = { brings: Settings.isOn("brings") }) {
  const shown = {
    ...state,
    played: table.over ? null : table.row.map(() => null),
    slotLabels: Narration.slotLabels(table),
    goal: Narration.goal(table),
    breakdown: table.over,
    ...changes,
  };
  Table.draw(at("table"), table, shown, at("own-tableau"));
  Hand.draw(state.deck, table.players[state.person]);
}

function draw() {
  const { table } = state;
  drawStep(table);
  at("progress").textContent = Table.progress(table);
  at("unsaved").textContent = state.unsaved && `Not saved: ${state.unsaved}. The game goes on,`
    + " and is saved with the next turn or at the end, when there is room.";
  at("scores").disabled = table.round_scores.length === 0;
  at("hand").hidden = table.over;
  document.body.classList.toggle("over", table.over);
  Results.drawEnd(state);
  Narration.say(Narration.tip(table));
  Hints.draw(state);
}

// A turn is revealed, anything else is drawn.
async function show(next) {
  const before = state;
  state = next;
  if (next.game_id !== before.game_id || next.turns_played !== before.turns_played + 1) {
    draw();
    return;
  }
  setRunning("reveal");
  Narration.announceTurn(next.table, state);
  Hints.clear();
  await Reveal.show(before.table, next.table, state, drawStep);
  if (next.table.last_turn.last_cards) await endRound();
  else await Animations.transition(document.body, draw, 320);
}

// The scores are shown over the scored tableaux; then those become hands.
async function endRound() {
  Animations.resume();
  setRunning("action");
  const choice = await Results.showScores(state, true);
  await Animations.transition(document.body, draw, 600);
  if (choice === AGAIN) await deal();
}

async function deal(seed = "") {
  const settings = { ...NewGame.settingsOf(state), seed };
  await show(await change("deal", state, { settings }));
}

async function newGame() {
  const { dealt, resume } = await NewGame.open(state);
  if (dealt) await show(dealt);
  else if (resume) await show(await change("resume", state, { saved_game: resume }));
}

const play = (card) => run(async () => {
  Hand.lock(true, "The others are choosing…");
  const next = await change("play", state, { card });
  Hand.lock(true);
  await show(next);
});

const openScores = () => run(async () => {
  if (await Results.showScores(state) === AGAIN) await deal();
});

const BUTTONS = {
  hint: () => {
    Hints.toggle();
    if (!running) draw();
  },
  scores: openScores,
  log: () => run(() => Results.openLog(state)),
  learn: () => run(() => Learn.open(state.deck)),
  game: () => run(newGame),
  settings: () => run(async () => {
    await Settings.open();
    draw(); // tips may have been switched
  }),
  "end-scores": openScores,
  "end-same-deal": () => run(() => deal(state.seed)),
  "play-again": () => run(() => deal()),
  "end-game": () => run(newGame),
};

Hand.start(play);
for (const [id, onClick] of Object.entries(BUTTONS)) at(id).addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
// The second click of a double click may come from the button that played the card.
at("board").addEventListener("click", ({ detail }) => detail < 2 && skipReveal());
await get("state").then((first) => {
  state = first;
  draw();
}).catch(showError);
