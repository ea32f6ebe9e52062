// The view of a game that bots play now: the tables arrive turn by turn.
import { at, button, element, get, pause, post, showError } from "./page.js";
import * as Replay from "./replay.js";
import * as Stepper from "./stepper.js";

let seed = null; // of the game that is shown

// Another game is another page: nothing of this one may stay.
function restart() {
  history.replaceState(null, "", location.pathname);
  location.reload();
}

async function deal() {
  await post("deal", { seed });
  restart();
}

const isOver = () => Replay.tables.at(-1).over;

// Shows what the server knows of the game, and whether more is to come.
function show({ tables = [], evaluations = [], num_turns: turns, thinking, failed }) {
  Replay.append(tables, evaluations, !(tables.at(-1)?.over ?? isOver()) && failed === null);
  const text = thinking === null ? `${Stepper.last} of ${turns} turns are played`
    : `${Replay.names()[thinking]} is choosing · turn ${Stepper.last + 1} of ${turns}`;
  at("watch-status").textContent = failed ?? text;
  return failed === null && !isOver();
}

async function watch() {
  const data = await get("table", { first: 0 });
  ({ seed } = data);
  Replay.start(data);
  Replay.openPanel(
    element(
      "div",
      "next-game",
      element("span", "note", `Seed ${seed}`),
      button("New game", () => deal().catch(showError), {
        id: "new-game", title: "Deals the next seed to the same bots",
      }),
    ),
    element("p", { id: "watch-status" }),
  );
  let goesOn = show({ ...data, tables: [], evaluations: [] });
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
