// Tables of scores: a round by its parts, a game by its rounds, and the ranking at the end.
// `view` is that of the table.
import { shape } from "./cards.js";
import { drawList } from "./objectives.js";
import { element, list, ordinal, points, signed } from "./page.js";

// The contents of heads and cells are texts, numbers or elements. `groups` are heads above the
// others, each [text, number of columns]. A wide table scrolls on a phone.
export function table(classes, heads, rows, { caption = "", groups = [] } = {}) {
  const group = ([text, colspan]) => (
    element(text ? "th" : "td", { colspan, scope: text ? "colgroup" : null }, text));
  return element("div", "scroll", element(
    "table",
    classes,
    caption && element("caption", "", caption),
    element("thead", "",
      groups.length > 0 && element("tr", "group", groups.map(group)),
      element("tr", "", heads.map((content) => element("th", { scope: "col" }, content)))),
    element("tbody", "", rows),
  ));
}

export const row = (title, cells, ...classes) => element(
  "tr",
  classes.filter(Boolean).join(" "),
  element("th", { scope: "row" }, title),
  cells.map((content) => element("td", "", content)),
);

// A score card above the points of the players' columns under it.
const columnHead = (value) => element(
  "span",
  { class: "score-card", role: "img", "aria-label": `Column under score card ${value}` },
  value,
);

const aboveSmall = (brought, small) => (
  element("span", "by-column", element("b", "", brought), small));

// "12" above "3 × 4" in the colour of the column; the points alone of an empty one.
function columnCell({ cards, points: brought }, value, deck) {
  if (!cards.length) return element("span", "none", "\u2013");
  const { colour } = deck[cards[0] - 1];
  return aboveSmall(brought, element(
    "small", `card ${colour}`, shape(colour), `${cards.length}\u00d7${value}`));
}

// Points above the terms that they are the sum of, each a text.
const sumCell = (total, terms) => (!terms.length || terms.join() === signed(total) ? total
  : aboveSmall(total, element("small", "terms", terms.map((text) => element("span", "", text)))));

// "4 × (+2)" and "−1": the bonus points on cards, the highest first.
function bonusTerms(cards, deck) {
  const printed = cards.map((card) => deck[card - 1].points).filter((each) => each !== 0);
  const kinds = [...new Set(printed)].sort((one, other) => other - one);
  return kinds.map((kind) => {
    const count = printed.filter((each) => each === kind).length;
    return count > 1 ? `${count} \u00d7 (${signed(kind)})` : signed(kind);
  });
}

function byParts(state, { names, seat, deck }, round) {
  const scores = state.round_scores[round - 1];
  const objectives = state.round_objectives[round - 1];
  const { score_cards: values, players } = state.round_columns[round - 1];
  const highest = Math.max(...scores.map(({ total }) => total));
  const rows = scores.map((score, player) => {
    const columns = players[player];
    const bonus = bonusTerms(columns.flatMap(({ cards }) => cards), deck);
    const met = objectives.filter(({ met_by: by }) => by.includes(player));
    const cells = [
      ...columns.map((column, place) => columnCell(column, values[place], deck)),
      sumCell(score.bonus_points, bonus),
      ...(objectives.length
        ? [sumCell(score.objective_points, met.map((each) => signed(each.points)))] : []),
      score.total,
    ];
    const isBest = score.total === highest;
    return row(names[player], cells, isBest && "best", player === seat && "own");
  });
  const parts = ["Bonus", ...(objectives.length ? ["Objectives"] : []), "Round"];
  return table(
    "scores by-parts",
    ["Player", ...values.map(columnHead), ...parts.map((head) => element("span", "part", head))],
    rows,
    {
      caption: `Round ${round} of ${state.num_rounds}`,
      groups: [["", 1], ["Columns: cards × score card", values.length], ["", parts.length]],
    },
  );
}

// A round by its parts, the objectives that were met in it, and how they are added.
export function ofRound(state, view, round) {
  const objectives = state.round_objectives[round - 1];
  const parts = "A column scores its number of cards times the score card above it. The bonus is"
    + " the sum of the points printed on the cards";
  const note = objectives.length
    ? `${parts}, and each objective that a player meets adds its points. All together are the`
      + " score of the round."
    : `${parts}. Both together are the score of the round.`;
  return element(
    "div",
    "round-scores",
    byParts(state, view, round),
    objectives.length > 0 && drawList(objectives, view.names, `Objectives of round ${round}`),
    round === 1 && element("p", "note", note),
  );
}

export function byRounds(state, { names, seat }) {
  const rows = state.players.map(({ score }, player) => row(
    names[player],
    [...state.round_scores.map((scores) => scores[player].total), score],
    state.winners.includes(player) && "best",
    player === seat && "own",
  ));
  const rounds = state.round_scores.map((_, round) => `Round ${round + 1}`);
  return table("scores", ["Player", ...rounds, "Total"], rows, { caption: "All rounds" });
}

// The players from the winner on, with bars as long as their totals.
export function ranking(state, { names, seat }) {
  const max = Math.max(1, ...state.ranking.map(({ total }) => total));
  const items = state.ranking.map(({ player, place, total, behind }) => element(
    "li",
    `${player === seat ? "own" : ""} ${place === 1 ? "first" : ""}`,
    element("span", "place", `${place}.`),
    element("span", "player-name", names[player]),
    element("meter", { min: 0, max, value: Math.max(0, total), "aria-hidden": "true" }),
    element("b", "", total),
    element("small", "", behind ? -behind : ""),
  ));
  const isTied = state.ranking.some(({ behind, place }) => behind === 0 && place > 1);
  return element(
    "div",
    "",
    element("ol", { class: "ranking", "aria-label": "Ranking" }, items),
    isTied && element("p", "tie-break",
      "Equal totals: the higher score of the last round decides."),
  );
}

// "You are 3rd of 4, 8 points behind Ada", or how far ahead a winner is; nothing if all have won.
export function margin({ ranking: places, winners }, { names, seat }) {
  const namesOf = (players) => list(players.map((player) => names[player]));
  const own = places.find(({ player }) => player === seat);
  const next = places.find(({ place }) => place > 1);
  const tieBreak = "the higher score of the last round decides";
  if (!next) return "";
  if (own.place > 1) {
    const by = own.behind ? `${points(own.behind)} behind` : "level with";
    const text = `You are ${ordinal(own.place)} of ${places.length}, ${by} ${namesOf(winners)}`;
    return own.behind ? text : `${text}: ${tieBreak}`;
  }
  const second = places.filter(({ place }) => place === next.place);
  const others = namesOf(second.map(({ player }) => player));
  return next.behind ? `${points(next.behind)} ahead of ${others}`
    : `Level with ${others}: ${tieBreak}`;
}
