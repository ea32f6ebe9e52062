// The scores of a round and of the game, the log, and what stands in the place of the hand when the
// game is over.
import { at, element, get, openDialog } from "./page.js";
import * as Scores from "./scores.js";
import { result, turnParts } from "./table.js";

// The title has the focus, so that a key pressed too often neither deals nor scrolls.
at("scores-title").addEventListener("keydown", ({ key, repeat }) => {
  if (key === "Enter" && !repeat && at("same-deal").hidden) at("scores-close").click();
});

// Links to the review: no network values games of two players. The deal of a record has no seed.
function drawWays({ names, game_id: id, seed, table }, review, sameDeal) {
  at(review).hidden = !table.over || names.length < 3;
  at(review).href = `review.html?game=${id}`;
  at(sameDeal).hidden = !table.over || seed === null;
}

// Resolves with the value of the button that closes the dialog.
export function showScores(state, view, roundEnded = false) {
  const { table } = state;
  const rounds = table.round_scores.length;
  const isNext = roundEnded && !table.over;
  at("scores-title").textContent = table.over ? result(table, view)
    : isNext ? `Round ${rounds} is over` : "Scores";
  at("scores-text").hidden = !isNext;
  const tables = [
    Scores.ofRound(table, view, rounds),
    ...(rounds > 1 ? [Scores.byRounds(table, view)] : []),
  ];
  at("scores-tables").replaceChildren(...(table.over ? tables.reverse() : tables));
  drawWays(state, "scores-review", "same-deal");
  at("scores-new").hidden = !table.over;
  at("scores-close").classList.toggle("main", !table.over);
  at("scores-close").textContent = table.over ? "Look at the table" : "Continue";
  return openDialog(at("scores-dialog"));
}

// The result, and the ways on. `current` may be another game that is still played.
export function drawEnd(state, current) {
  const { table, names, seat } = state;
  at("game-end").hidden = !table.over;
  if (!table.over) return;
  at("end-title").textContent = result(table, { names, person: seat });
  drawWays(state, "review-game", "end-same-deal");
  at("end-return").hidden = state.game_id === current.game_id || current.table.over;
}

// Saves the record of a finished game, which `mindup watch replay` and `review` open.
export async function save({ game_id: game }) {
  const record = await get("record", { game });
  const href = URL.createObjectURL(new Blob([JSON.stringify(record)]));
  element("a", { href, download: "mind-up.json" }).click();
}

// Every turn of the game so far with the points that each card brought. The last turn is at the
// bottom, and shown first.
export async function openLog({ game_id: game, table }, view) {
  const { turns } = await get("log", { game });
  const parts = turns.flatMap((turn) => [
    ...(turn.turn === 1 ? [element("h3", "", `Round ${turn.round} of ${table.num_rounds}`)] : []),
    element("section", "log-turn", element("h4", "", `Turn ${turn.turn}`), turnParts(turn, view)),
  ]);
  const empty = element("p", "none", "No turn has been played yet.");
  at("log-turns").replaceChildren(...(parts.length ? parts : [empty]));
  const closed = openDialog(at("log-dialog"));
  at("log-turns").scrollTop = at("log-turns").scrollHeight;
  return closed;
}
