// The view of a person's game: requests it from the server, draws it, and sends the person's card.
import * as Animations from "./animations.js";
import * as Dialogs from "./dialogs.js";
import * as Hand from "./hand.js";
import * as Hints from "./hints.js";
import * as Learn from "./learn.js";
import * as Memory from "./memory.js";
import * as Narration from "./narration.js";
import * as NewGame from "./new_game.js";
import { at, get, showError } from "./page.js";
import * as Results from "./results.js";
import * as Reveal from "./reveal.js";
import * as Table from "./table.js";

const { classList } = document.body;
const view = {
  deck: [], names: [], person: 0, seat: 0, showKnown: true, showHidden: false, played: null,
};
let state = null; // the game on the page: the current one, or a finished one
let current = null; // the state of the current game

// What the person starts, one action at a time. While one runs, no card can be chosen. An error is
// shown; if the game has continued elsewhere, its current state is drawn.
async function run(action) {
  if (classList.contains("busy")) return;
  classList.add("busy");
  Hand.lock(true);
  at("error").textContent = "";
  try {
    await action();
  } catch (error) {
    showError(error);
    if (error.status === 409) {
      state = current = await get("state").catch(() => current);
      setAddress();
      draw();
    }
  } finally {
    Animations.resume();
    classList.remove("busy", "revealing");
    Hand.lock(false);
    if (document.activeElement === document.body) Hand.focus();
  }
}

function skipReveal() {
  if (classList.contains("revealing")) Animations.skip();
}

// While an action runs, keys only skip what is revealed.
function onKey(event) {
  const { ctrlKey, metaKey, altKey, key, repeat, target } = event;
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
  classList.add("with-keys");
  if (classList.contains("busy")) {
    const skips = !repeat && ["Enter", " ", "Escape"].includes(key);
    if (!skips || !classList.contains("revealing")) return;
    skipReveal();
  } else if (target.closest("select, input") || Dialogs.isKeyOff(event)) {
    return;
  } else if (!Dialogs.handleKey(event) && !Hand.handleKey(event)) {
    return;
  }
  event.preventDefault();
}

// `changes` are what the reveal of a turn changes in the view.
function drawStep(table, changes = {}) {
  const shown = {
    ...view,
    played: table.over ? null : table.row.map(() => null),
    slotLabels: Narration.slotLabels(table),
    breakdown: table.over,
    ...changes,
  };
  Table.draw(at("table"), table, shown, at("own-tableau"));
  Hand.draw(view.deck, table.players[view.seat]);
}

function draw() {
  const { table, names, seat } = state;
  Object.assign(view, { names, bots: state.bots.with(seat, ""), person: seat, seat });
  const isOffered = !Memory.choice("learnt") && table.turns_played === 0;
  at("learn").classList.toggle("offered", isOffered);
  drawStep(table);
  Hand.restore(Memory.recall("card", state));
  at("known-hands").hidden = table.round === 1 || table.over; // nothing is known
  at("progress").textContent = Table.progress(table);
  at("scores").disabled = table.round_scores.length === 0;
  at("hand").hidden = table.over;
  classList.toggle("over", table.over);
  Results.drawEnd(state, current);
  Narration.say(Narration.tip(table));
  Hints.draw(state);
}

// A finished game has an address of its own.
function setAddress() {
  history.replaceState(null, "", state.table.over ? `?game=${state.game_id}` : "/");
}

// Shows the current game: a turn is revealed, anything else is drawn.
async function show(next) {
  const before = state;
  state = current = next;
  setAddress();
  if (before && Memory.isSameTurn(before, next)) return;
  if (!before || !Memory.isNextTurn(before, next)) {
    draw();
    return;
  }
  classList.add("revealing");
  Narration.announceTurn(next.table, view);
  Hints.clear();
  await Reveal.show(before.table, next.table, view, drawStep);
  if (next.table.last_turn.last_cards) await endRound();
  else await Animations.transition(document.body, draw, 320);
  // A low screen was scrolled to the panels.
  document.querySelector(".row").scrollIntoView({ block: "nearest" });
}

// The scores are shown over the scored tableaux; then those become hands.
async function endRound() {
  Animations.resume();
  classList.remove("revealing");
  const choice = await showScores(true);
  await Animations.transition(document.body, draw, 600);
  await goOn(choice);
}

// A reload of the page shows them again.
async function showScores(roundEnded) {
  Memory.keep("scores", state, { roundEnded });
  const choice = await Results.showScores(state, view, roundEnded);
  Memory.keep("scores", state, null);
  return choice;
}

// `choice` is the value of the button that closed the scores.
async function goOn(choice) {
  if (choice === "new-game") await newGame();
  if (choice !== "same-deal") return;
  const settings = { ...NewGame.settingsOf(state), seed: state.seed };
  await show(await Memory.change("deal", current, { settings }));
}

async function newGame() {
  const { dealt, resume } = await NewGame.open(state, current);
  if (dealt) await show(dealt);
  else if (resume) await show(await Memory.change("resume", current, { saved_game: resume }));
}

// Slow bots are announced after a second.
const play = (card) => run(async () => {
  const slow = setTimeout(() => Narration.announce("The others are choosing."), 1000);
  Hand.lock(true, "The others are choosing…");
  const next = await Memory.change("play", state, { card }).finally(() => clearTimeout(slow));
  Hand.lock(true);
  await show(next);
});

const openScores = (roundEnded = false) => run(async () => goOn(await showScores(roundEnded)));

function toggle(change) {
  change();
  if (!classList.contains("busy")) draw();
}

const BUTTONS = {
  "known-hands": () => toggle(() => {
    view.showKnown = !view.showKnown;
    at("known-hands").setAttribute("aria-pressed", view.showKnown);
  }),
  hint: () => toggle(Hints.toggle),
  scores: () => openScores(),
  log: () => run(() => Results.openLog(state, view)),
  learn: () => {
    Memory.choose("learnt", "on");
    at("learn").classList.remove("offered");
    run(() => Learn.open(view.deck));
  },
  game: () => run(newGame),
  settings: () => run(async () => {
    await Dialogs.openSettings();
    draw(); // tips may have been switched
  }),
  "end-scores": () => openScores(),
  "save-record": () => run(() => Results.save(state)),
  "end-same-deal": () => run(() => goOn("same-deal")),
  "end-game": () => run(newGame),
};

// The address is that of the current game, or of a finished one.
async function load() {
  const game = new URLSearchParams(location.search).get("game");
  view.deck = await get("deck");
  state = current = await get("state");
  try {
    if (game !== null) state = await get("finished", { game });
  } catch (error) {
    setAddress();
    throw error;
  } finally {
    draw();
  }
}

// The game may have continued in another tab.
function onVisible() {
  if (document.hidden || state?.game_id !== current?.game_id || !state) return;
  run(async () => show(await get("state")));
}

Hand.start(play, (card) => Memory.keep("card", state, card));
for (const [id, onClick] of Object.entries(BUTTONS)) at(id).addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
// The second click of a double click may come from the button that played the card.
at("board").addEventListener("click", ({ detail }) => detail < 2 && skipReveal());
document.addEventListener("visibilitychange", onVisible);
await run(load);
const scores = state && Memory.recall("scores", state);
if (scores) openScores(scores.roundEnded);
