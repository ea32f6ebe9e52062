// Tables of scores: a round by its parts, and a game by its rounds. `view` is that of the table.
import { shape } from "./cards.js";
import { drawList } from "./objectives.js";
import { element } from "./page.js";

// The contents of heads and cells are texts, numbers or elements. A wide table scrolls on a phone.
export const table = (classes, heads, rows, caption = "") => element("div", "scroll", element(
  "table",
  classes,
  caption && element("caption", "", caption),
  element("thead", "",
    element("tr", "", heads.map((content) => element("th", { scope: "col" }, content)))),
  element("tbody", "", rows),
));

export const row = (title, cells, ...classes) => element(
  "tr",
  classes.filter(Boolean).join(" "),
  element("th", { scope: "row" }, title),
  cells.map((content) => element("td", "", content)),
);

// A score card above the points of the players' columns under it.
const columnHead = (value) => element("span",
  { class: "score-card", role: "img", "aria-label": `Column under score card ${value}` }, value);

// "12" above "3 × 4" in the colour of the column; a dash for an empty one.
function columnCell({ cards, points: brought }, value, deck) {
  if (!cards.length) return element("span", "none", "\u2013");
  const { colour } = deck[cards[0] - 1];
  return element("span", "by-column", element("b", "", brought),
    element("small", `card ${colour}`, shape(colour), `${cards.length}\u00d7${value}`));
}

function byParts(state, { names, person, deck }, round) {
  const scores = state.round_scores[round - 1];
  const withObjectives = state.round_objectives[round - 1].length > 0;
  const { score_cards: values, players } = state.round_columns[round - 1];
  const highest = Math.max(...scores.map(({ total }) => total));
  const rows = scores.map((score, player) => {
    const cells = [
      ...players[player].map((column, place) => columnCell(column, values[place], deck)),
      score.bonus_points,
      ...(withObjectives ? [score.objective_points] : []),
      score.total,
    ];
    return row(names[player], cells, score.total === highest && "best", player === person && "own");
  });
  const parts = ["Bonus", ...(withObjectives ? ["Objectives"] : []), "Round"];
  const heads = ["Player", ...values.map(columnHead), ...parts.map((each) => (
    element("span", "part", each)))];
  return table("scores by-parts", heads, rows, `Round ${round} of ${state.num_rounds}`);
}

// A round by its parts, the objectives that were met in it, and how they are added.
export function ofRound(state, view, round) {
  const objectives = state.round_objectives[round - 1];
  const added = objectives.length ? ", and those of each objective that a player meets" : "";
  return element(
    "div",
    "round-scores",
    byParts(state, view, round),
    objectives.length > 0 && drawList(objectives, view.names, `Objectives of round ${round}`),
    round === 1 && element("p", "note", "A column scores its number of cards times the score card"
      + ` above it. The points printed on the cards are added${added}.`),
  );
}

// At the end the players are in the order of their places.
export function byRounds(state, { names, person }) {
  const places = state.over ? state.ranking : names.map((_, player) => ({ player }));
  const rows = places.map(({ player, place }) => row(
    place ? `${place}. ${names[player]}` : names[player],
    [...state.round_scores.map((scores) => scores[player].total), state.players[player].score],
    state.winners.includes(player) && "best",
    player === person && "own",
  ));
  const rounds = state.round_scores.map((_, round) => `Round ${round + 1}`);
  const isTied = places.some(({ behind, place }) => behind === 0 && place > 1);
  return element(
    "div",
    "",
    table("scores", ["Player", ...rounds, "Total"], rows, "All rounds"),
    isTied && element("p", "note", "Equal totals: the higher score of the last round decides."),
  );
}
