// The scores of a round and of the game, the log, and what stands in the place of the hand when the
// game is over.
import { at, counted, element, get, openDialog } from "./page.js";
import * as Scores from "./scores.js";
import { result, turnParts } from "./table.js";

const ORDINALS = ["1st", "2nd", "3rd", "4th", "5th", "6th"];
// The title has the focus, so that a key pressed too often neither deals nor scrolls.
at("scores-title").addEventListener("keydown", ({ key, repeat }) => {
  if (key === "Enter" && !repeat && at("scores-again").hidden) at("scores-close").click();
});

// Who won, and the person's place and margin.
function placed({ table, names, person }) {
  const { winners, ranking } = table;
  const won = result(table, { names, person });
  const own = ranking.find(({ player }) => player === person);
  const next = ranking.find(({ player }) => !winners.includes(player));
  if (winners.length > 1 && own.place === 1) return won;
  const [count, text] = own.place === 1 ? [next.behind, `ahead of ${names[next.player]}`]
    : [own.behind, `behind ${winners.length > 1 ? "them" : names[winners[0]]}`];
  const by = count ? `${counted(count, "point")} ${text}`
    : "with equal points: the last round decided";
  return own.place === 1 ? `${won} ${by}` : `${won}. You are ${ORDINALS[own.place - 1]}, ${by}`;
}

// Resolves with the value of the button that closes the dialog.
export function showScores(state, roundEnded = false) {
  const { table } = state;
  const rounds = table.round_scores.length;
  const isNext = roundEnded && !table.over;
  at("scores-title").textContent = table.over ? placed(state)
    : isNext ? `Round ${rounds} is over` : "Scores";
  at("scores-title").classList.toggle("won", roundEnded && table.winners.includes(state.person));
  at("scores-text").hidden = !isNext;
  const tables = [
    Scores.ofRound(table, state, rounds),
    ...(rounds > 1 ? [Scores.byRounds(table, state)] : []),
  ];
  at("scores-tables").replaceChildren(...(table.over ? tables.reverse() : tables));
  at("scores-again").hidden = !table.over;
  at("scores-close").classList.toggle("main", !table.over);
  at("scores-close").textContent = table.over ? "Look at the table" : "Continue";
  return openDialog(at("scores-dialog"));
}

// The result, and the ways on.
export function drawEnd(state) {
  const { table } = state;
  at("game-end").hidden = !table.over;
  if (!table.over) return;
  at("end-title").textContent = placed(state);
  at("decided").textContent = sessionStorage.getItem(`decided ${state.game_id}`); // by the review
  at("review-game").href = `review.html?game=${state.game_id}`;
  at("save-record").href = `record?game=${state.game_id}`;
}

// Every turn of the game so far with the points that each card brought. The last turn is at the
// bottom, and shown first.
export async function openLog(state) {
  const { turns } = await get("log", { game: state.game_id });
  const rounds = state.table.num_rounds;
  const parts = turns.flatMap((turn) => [
    ...(turn.turn === 1 ? [element("h3", "", `Round ${turn.round} of ${rounds}`)] : []),
    element("section", "log-turn", element("h4", "", `Turn ${turn.turn}`), turnParts(turn, state)),
  ]);
  const empty = element("p", "none", "No turn has been played yet.");
  at("log-turns").replaceChildren(...(parts.length ? parts : [empty]));
  const closed = openDialog(at("log-dialog"));
  at("log-turns").scrollTop = at("log-turns").scrollHeight;
  return closed;
}
