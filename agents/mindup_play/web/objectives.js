// Objectives with their points, and the players who meet them.
import { element, list, signed } from "./page.js";

const narrow = matchMedia("(max-width: 599px)");
const low = matchMedia("(max-height: 559px)");
let isOpen = null; // null until the person folds or unfolds the list

// `start` is before the names of the players, as in "now: You".
export const drawList = (objectives, names, label, start = "") => element(
  "ul",
  { class: "objectives", "aria-label": label },
  objectives.map(({ points, condition, met_by: players }) => element(
    "li",
    points < 0 ? "objective negative" : "objective",
    element("span", "objective-points", signed(points)),
    element("div", "condition", condition,
      element("small", "met-by", `${start}${listed(players, names)}`)),
  )),
);

function listed(players, names) {
  if (players.length === names.length) return "all players";
  return players.length ? list(players.map((player) => names[player])) : "no player";
}

// The objectives in play. Small screens fold them to a line with the person's points; narrow ones
// show one or two in the first round.
export function drawFold({ objectives, players, over, round }, { names, person }) {
  const now = person === null || over ? ""
    : ` \u00b7 ${signed(players[person].round_score.objective_points)} if the round ended now`;
  const summary = element("summary", "", `Objectives${now}`);
  const shown = drawList(objectives, names, "Objectives of this round", over ? "" : "now: ");
  const made = element("details", "objectives-fold", summary, shown);
  const fits = !narrow.matches || (round === 1 && objectives.length <= 2 && players.length < 6);
  made.open = isOpen ?? (fits && !low.matches);
  summary.addEventListener("click", () => { isOpen = !made.open; });
  return made;
}
