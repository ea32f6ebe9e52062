// The panel of a player: the score, the tableau and the hand. See table.js for `view`.
import * as Cards from "./cards.js";
import { counted, element, mark, number, signed } from "./page.js";

export function draw(table, view, player, own) {
  const label = own ? "Your tableau" : `Tableau of ${view.names[player]}`;
  const isWinner = table.winners.includes(player);
  const classes = ["panel", `player-${player}`, own && "own", isWinner && "winner"];
  return element(
    "section",
    { class: classes.filter(Boolean).join(" "), "aria-label": label, "data-player": player },
    element("header", "", name(view, player), score(table, player)),
    columns(table, view, player),
    own && view.goal && element("div", "goal", view.goal),
    view.chosen && chosenCard(view, player),
    !own && !table.over && hand(table.players[player], view, player),
  );
}

// The name, and that of the bot behind it.
function name({ names, bots }, player) {
  return element("h2", { class: "player-name" }, mark(names, player), names[player], " ",
    bots[player] && element("small", "bot-name", bots[player]));
}

// "+15 this round", without objectives, and the total; the label says what makes up the 15.
function score(table, player) {
  const { round_score: round, total } = table.players[player];
  const objectives = table.objectives.length
    ? `; objectives ${signed(round.objective_points)} if it ended now` : "";
  const now = round.total - round.objective_points;
  const parts = `columns ${round.colour_points}, bonus ${signed(round.bonus_points)}${objectives}`;
  const label = `${counted(total, "point")}, ${number(now)} of them in this round: ${parts}`;
  return element(
    "span",
    { class: "score", "aria-label": label, title: label, role: "img" },
    element("small", "", !table.over && element("span", "now", signed(now),
      element("span", "wide", " this round"), " · "), "total"),
    element("b", "", total),
  );
}

function columns(table, view, player) {
  const { tableau, column_points: brought } = table.players[player];
  return element("ol", "tableau", tableau.map((cards, place) => {
    const value = table.score_cards[place];
    const names = cards.map((card) => Cards.name(view.deck, card)).join("; ");
    return element(
      "li",
      {
        class: names ? "column" : "column empty",
        "aria-label": `Under score card ${value}: ${names || "nothing"}`,
      },
      heads(view, cards, value),
      cards.map((card) => placedCard(view, player, card)),
      landedGain(view, player, place),
      view.breakdown && names && product(cards.length, value, brought[place]),
    );
  }));
}

// "3 × 4 = 12"; a narrow column has room for the points alone.
const product = (cards, value, brought) => element(
  "span", "column-points", element("span", "product", `${cards} \u00d7 ${value} = `), brought);

// The score card of a column; on a small screen, its colour once, and its number of cards.
function heads(view, cards, value) {
  if (!cards.length) return element("span", "score-card", value);
  const { colour } = view.deck[cards[0] - 1];
  return [
    element("span", "score-card", value, Cards.shape(colour)),
    element("span", { class: `summary card ${colour}`, "aria-hidden": "true" },
      Cards.shape(colour), element("b", "", element("i", "", "\u00d7"), cards.length)),
  ];
}

// A card that has just landed is marked.
function placedCard(view, player, card) {
  const made = Cards.card(view.deck, card);
  const landing = view.landed?.find((each) => each.player === player && each.card === card);
  if (!landing) return made;
  const { now, last } = landing;
  if (now && last) made.dataset.playedBy = player; // it comes from the hand
  made.classList.add("landed", ...(now ? ["now"] : []));
  return made;
}

// The points that the newest card of a column brought in this turn.
function landedGain({ landed }, player, column) {
  const landing = landed?.findLast((each) => each.player === player && each.column === column);
  if (!landing) return null;
  const gain = Cards.gain(landing);
  gain.classList.toggle("now", landing.now);
  return gain;
}

// The card that a player has chosen, before all go to their prizes.
function chosenCard({ chosen, deck, names }, player) {
  const card = chosen[player];
  const face = card === null ? Cards.back(`a card of ${names[player]}, face down`)
    : Cards.card(deck, card);
  face.dataset.playedBy = player;
  return element("div", "chosen", face);
}

// Face-up cards first; the other cards show their backs.
function hand({ known, hidden }, view, player) {
  const revealed = hidden.filter((card) => card !== null && view.showHidden);
  const cards = [...known, ...revealed].sort((one, other) => one - other);
  const unknown = hidden.length - revealed.length;
  const evaluation = view.evaluations?.[player];
  const faces = cards.map((card) => {
    const face = Cards.card(view.deck, card);
    if (revealed.includes(card)) face.classList.add("mark-hidden");
    return evaluation ? evaluatedCard(face, card, evaluation) : face;
  });
  const label = `Hand of ${view.names[player]}: ${faces.length} known, ${unknown} unknown`;
  return element(
    "div",
    { class: "hand-cards", role: "group", "aria-label": label },
    faces,
    evaluation && faces.length > 0 && element("small", "unit", evaluation.unit),
    Array.from({ length: unknown }, () => Cards.back("a card that only its owner knows")),
  );
}

// A card above its value; the highest value of the hand stands out.
function evaluatedCard(face, card, { unit, values }) {
  const isBest = values[card] === Math.max(...Object.values(values));
  const shown = element("span", "card-value", Cards.formatValue(unit, values[card]));
  const classes = isBest ? "evaluated best" : "evaluated";
  return element("div", { class: classes, title: unit }, face, shown);
}
