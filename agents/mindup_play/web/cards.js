// Cards as elements, and the points that they bring. Each colour has a shape too, for people who
// cannot tell the colours apart.
import { decimals, element, percent, signed, svgElement } from "./page.js";

const SHAPES = {
  orange: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z",
  pink: "M12 21C5 15.5 2 12 2 8.2C2 5.2 4.3 3 7 3c2 0 3.8 1 5 3c1.2-2 3-3 5-3"
    + "c2.7 0 5 2.2 5 5.2C22 12 19 15.5 12 21z",
  blue: "M12 1.5L21 12L12 22.5L3 12z",
  green: "M12 2.5L22.5 20.5H1.5z",
  purple: "M12 1.5l3.1 7.1l7.7.7l-5.8 5.1l1.7 7.6L12 18l-6.7 4l1.7-7.6L1.2 9.3l7.7-.7z",
};

export const shape = (colour) => svgElement("svg",
  { viewBox: "0 0 24 24", class: "shape", "aria-hidden": "true" },
  svgElement("path", { d: SHAPES[colour] }));

export const probability = (share) => percent(share, share < 0.095 ? 1 : 0);

// Whether values of this unit are probabilities.
export const isProbability = (unit) => (
  ["chance to win", "how often it plays the card"].includes(unit));

// A bot's value of a card, and the difference of two values.
export const formatValue = (unit, value) => (isProbability(unit) ? probability(value)
  : decimals(value, unit.includes("points") ? 1 : 2));
export const formatDifference = (unit, value) => (
  isProbability(unit) ? percent(value, 1) : decimals(value, 3));

// As in "33 pink, minus 1".
export function name(deck, card) {
  const { colour, points } = deck[card - 1];
  const bonus = points === 0 ? "" : `, ${points < 0 ? "minus" : "plus"} ${Math.abs(points)}`;
  return `${card} ${colour}${bonus}`;
}

export function face(deck, card, attributes) {
  const { colour, points } = deck[card - 1];
  return element(
    "div",
    { class: `card ${colour}`, ...attributes },
    element("span", "number", card),
    shape(colour),
    points !== 0 && element("span", points < 0 ? "points negative" : "points", signed(points)),
  );
}

// animations.js finds a tracked card again by its number: each card is on the table once.
export const card = (deck, shown, tracked = true) => face(
  deck, shown, { role: "img", "aria-label": name(deck, shown), "data-card": tracked && shown });

export const back = (label) => (
  element("div", { class: "card back", role: "img", "aria-label": label }));

// " = 5 + 1"; nothing for a card without bonus, which brings its score card alone.
const parts = ({ score_card: value, bonus }) => (
  bonus === 0 ? "" : ` = ${value} ${bonus < 0 ? "\u2212" : "+"} ${Math.abs(bonus)}`);

// "+6 = 5 + 1"
export const gainText = (placed) => `${signed(placed.points)}${parts(placed)}`;

// The same as words, for screen readers.
export const gainWords = ({ score_card: value, bonus, points }) => (
  `${signed(points)} from score card ${value}${bonus === 0 ? "" : ` and bonus ${signed(bonus)}`}`);

export const gain = (placed) => element(
  "span",
  { class: placed.points < 0 ? "gain negative" : "gain", title: gainWords(placed) },
  signed(placed.points),
  placed.bonus !== 0 && element("span", "parts", parts(placed)),
);
