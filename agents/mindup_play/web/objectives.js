// Objectives with their points, what they mean, and the players who meet them.
import { element, list, signed } from "./page.js";

export const NOW = "now: ";

const FEW = 2; // more take too much of a small screen until they are opened
const smallScreen = matchMedia("(max-width: 599px)");
const lowScreen = matchMedia("(max-height: 559px)");
const explained = new Set(); // the ids of those whose explanation is open: the table is redrawn
let isFolded = null; // null until the person folds or unfolds the list

const EXPLANATIONS = {
  blue_2_or_4: "Met with exactly 2 or exactly 4 blue cards in the tableau.",
  blue_most: "Compare your own colours: none may have more cards than blue. Equal numbers count.",
  colour_of_four: "Met if at least one of your columns has exactly four cards.",
  colour_of_three: "Met if at least one of your columns has exactly three cards.",
  five_colours: "Met if each of your five columns has a card.",
  green_high: "Met if the green column is under score card 4 or 5; not without green cards.",
  green_rightmost: "Met if no colour lies to the right of your green column; not without it.",
  orange_1_or_3: "Met with exactly 1 or exactly 3 orange cards in the tableau.",
  orange_low: "Met if the orange column is under score card 1 or 2; not without orange cards.",
  pink_fewest: "Compare the players: you have the fewest pink cards. Equal numbers count, even 0.",
  pink_most: "Compare the players: you have the most pink cards. Equal numbers count, even 0.",
  purple_ge_orange: "Met with at least as many purple cards as orange ones; 0 and 0 count too.",
  purple_most: "Compare the players: you have the most purple cards. Equal numbers count, even 0.",
  three_colours: "Met if exactly three of your columns have cards.",
};

const plain = ({ condition }) => element("span", "", condition);

// The condition; a click on it shows what it means.
function explainable({ id, condition }) {
  const summary = element("summary", "", condition);
  const made = element("details", "", summary, element("p", "", EXPLANATIONS[id]));
  made.open = explained.has(id);
  made.addEventListener("toggle", () => explained[made.open ? "add" : "delete"](id));
  return made;
}

// `start` is before the names of the players, as in "now: You"; `shown` makes the condition.
export const drawList = (objectives, names, label, start = "", shown = plain) => element(
  "ul",
  { class: "objectives", "aria-label": label },
  objectives.map((objective) => element(
    "li",
    objective.points < 0 ? "objective negative" : "objective",
    element("span", "objective-points", signed(objective.points)),
    element("div", "condition", shown(objective),
      element("small", "met-by", `${start}${metBy(objective.met_by, names)}`)),
  )),
);

function metBy(players, names) {
  if (players.length === names.length) return "all players";
  return players.length ? list(players.map((player) => names[player])) : "no player";
}

// The objectives in play, which can be folded to a line with the person's points.
export function drawFold({ objectives, players, over }, { names, seat }) {
  const now = seat === null ? ""
    : ` \u00b7 ${names[seat]} ${signed(players[seat].round_score.objective_points)}`;
  const summary = element("summary", "", `Objectives${now}`);
  const shown = drawList(
    objectives, names, "Objectives of this round", over ? "" : NOW, explainable);
  const made = element("details", "objectives-fold", summary, shown);
  const isLong = lowScreen.matches || (smallScreen.matches && objectives.length > FEW);
  made.open = !(isFolded ?? isLong);
  summary.addEventListener("click", () => { isFolded = made.open; });
  return made;
}
