// The view of a game that bots play now: the tables arrive turn by turn.
import { at, get, pause, showError } from "./page.js";
import * as Replay from "./replay.js";
import * as Stepper from "./stepper.js";

// Shows what the server knows of the game, and whether more is to come.
function show({ seed, tables, num_turns: turns, thinking, failed, reviewed }) {
  const goesOn = failed === null && !(tables.at(-1) ?? Replay.tables.at(-1)).over;
  Replay.append(tables, goesOn);
  const text = thinking === null ? `${Replay.tables.length - 1} of ${turns} turns are played`
    : `${Replay.view.names[thinking]} is choosing · turn ${Replay.tables.length} of ${turns}`;
  at("watch-status").textContent = failed ?? `Seed ${seed} · ${text}`;
  at("save-record").hidden = goesOn || failed !== null;
  at("review-game").hidden = at("save-record").hidden || !reviewed;
  return goesOn;
}

async function watch() {
  const data = await get("table", { first: 0 });
  Replay.start(data, "");
  let goesOn = show({ ...data, tables: [] });
  if (!location.hash) Stepper.play();
  while (goesOn) {
    await pause();
    goesOn = show(await get("table", { first: Replay.tables.length }));
  }
}

watch().catch(showError);
