// The view of a game that bots play now: the tables arrive turn by turn.
import { at, get, pause, post, showError } from "./page.js";
import * as Replay from "./replay.js";
import * as Stepper from "./stepper.js";

// Another game is another page: nothing of this one may stay.
function restart() {
  history.replaceState(null, "", location.pathname);
  location.reload();
}

async function deal(seed) {
  await post("deal", { seed });
  restart();
}

// Shows what the server knows of the game, and whether more is to come.
function show({ seed, tables, num_turns: turns, thinking, failed }) {
  const goesOn = failed === null && !(tables.at(-1) ?? Replay.tables.at(-1)).over;
  Replay.append(tables, goesOn);
  const text = thinking === null ? `${Replay.tables.length - 1} of ${turns} turns are played`
    : `${Replay.view.names[thinking]} is choosing · turn ${Replay.tables.length} of ${turns}`;
  at("watch-status").textContent = failed ?? `Seed ${seed} · ${text}`;
  for (const id of ["save-record", "review-game"]) at(id).hidden = goesOn || failed !== null;
  return goesOn;
}

async function watch() {
  const data = await get("table", { first: 0 });
  const { seed } = data;
  Replay.start(data, seed);
  at("save-record").href = `record?game=${seed}`;
  at("review-game").href = `review.html?game=${seed}`;
  at("new-game").addEventListener("click", () => deal(seed).catch(showError));
  let goesOn = show({ ...data, tables: [] });
  if (!location.hash) Stepper.play();
  while (goesOn) {
    await pause();
    const more = await get("table", { first: Replay.tables.length });
    if (more.seed !== seed) { // dealt in another tab
      restart();
      return;
    }
    goesOn = show(more);
  }
}

watch().catch(showError);
