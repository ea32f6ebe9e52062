// How to play, in a few pages with pictures that are drawn as the table is.
import * as Cards from "./cards.js";
import { drawList } from "./objectives.js";
import { at, element, openDialog } from "./page.js";
import * as Panel from "./panel.js";
import { choose } from "./settings.js";

const dialog = at("learn-dialog");
let deck = [];
let shown = 0;

const row = (...content) => element("div", "picture-row", content);
const face = (card) => Cards.card(deck, card, false);
const name = (player) => `player ${player}`;
const captioned = (text, ...content) => (
  element("div", "picture-item", content, element("span", "caption", text)));

// A test compares its points with the rules.
export const EXAMPLE = {
  score_cards: [2, 4, 1, 5, 3],
  columns: [[22, 54], [3], [5], [8, 23, 45], []],
  points: [4, 4, 1, 15, 0],
  landed: { card: 45, column: 3, score_card: 5, bonus: 2, points: 7 },
  bonus: 6,
  total: 30,
};

// A raised card is chosen.
function choosing() {
  const chosen = face(33);
  chosen.classList.add("raised");
  const hidden = [1, 2].map((player) => (
    captioned(name(player), Cards.back(`a card of ${name(player)}, face down`))));
  return [row(hidden), row(face(8), chosen, face(47), face(58))];
}

function taking() {
  const plays = [[name(2), 19, 11], ["You", 45, 33], [name(1), 50, 40]];
  return row(plays.map(([taker, prize, played]) => (
    captioned(taker, face(prize), element("span", "arrow", "\u2191"), face(played)))));
}

function tableau(changes, hand = []) {
  const { columns, points, score_cards } = EXAMPLE;
  const cards = columns.map((column) => column.filter((each) => !hand.includes(each)));
  const table = { players: [{ tableau: cards, column_points: points }], score_cards };
  return element("div", "panel", Panel.columns(table, { deck, ...changes }, 0, false));
}

function scoring() {
  const sum = Cards.sum(EXAMPLE.points.filter((points) => points !== 0));
  return [
    tableau({ breakdown: true }),
    element("p", "picture-sum", `${sum} + ${EXAMPLE.bonus} bonus = ${EXAMPLE.total}`),
  ];
}

function nextRound() {
  const hand = EXAMPLE.columns.flat().sort((one, other) => one - other).map(face);
  for (const each of hand) each.classList.add("known");
  const drawn = Cards.back("a card that only its owner knows");
  return element("div", "picture-row small", hand, element("span", "arrow", "+"), drawn);
}

function objectives() {
  const examples = [
    { condition: "cards of all five colours", points: 2, met_by: [0, 2] },
    { condition: "nobody has more purple cards than you", points: -2, met_by: [1] },
  ];
  return drawList(examples, ["You", name(1), name(2)], "Objectives", "now: ");
}

const PAGES = [
  [
    "All players choose a card",
    "You have a hand of seven cards. In each turn, all players choose one card in secret and reveal"
    + " it together. Choose a card and press the button.",
    choosing,
  ],
  [
    "The lowest card takes the lowest prize",
    "In the middle lies a row of prizes, one for each player. The lowest card takes the lowest"
    + " prize, the second lowest the second, and so on. The cards played are the prizes of the next"
    + " turn.",
    taking,
  ],
  [
    "A column for each colour",
    "Your prize goes into the column of its colour; a new colour opens the next empty column. It"
    + " brings the points of the score card above the column, and the bonus or malus on it.",
    () => tableau({ landed: [{ player: 0, ...EXAMPLE.landed }] }, [8]), // which is still in the hand
  ],
  [
    "The score of a round",
    "Turns are played until one card is left in each hand; it goes into your own tableau. Then each"
    + " column scores its number of cards times its score card, and all bonus points are added.",
    scoring,
  ],
  [
    "Your tableau is your next hand",
    "For the next round you take your tableau into your hand and draw one card. The others know the"
    + " cards with an eye, all but the new one, and you know theirs. After three rounds, the"
    + " highest total wins.",
    nextRound,
  ],
  [
    "Optional objectives",
    "A game may have bonus objectives. At the end of a round each player who meets one scores its"
    + " points, plus or minus. The table shows who would score them now.",
    objectives,
  ],
];

function show(page) {
  shown = Math.min(Math.max(page, 0), PAGES.length - 1);
  const [title, text, picture] = PAGES[shown];
  at("learn-title").textContent = title;
  at("learn-text").textContent = text;
  at("learn-picture").replaceChildren(...[picture()].flat());
  at("learn-place").textContent = `${shown + 1} of ${PAGES.length}`;
  at("learn-back").ariaDisabled = String(shown === 0);
  at("learn-next").textContent = shown === PAGES.length - 1 ? "To the table" : "Next";
}

at("learn-back").addEventListener("click", () => show(shown - 1));
at("learn-next").addEventListener("click", () => (
  shown === PAGES.length - 1 ? dialog.close() : show(shown + 1)));
dialog.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight") show(shown + 1);
  if (key === "ArrowLeft") show(shown - 1);
});

export function open(ofDeck) {
  deck = ofDeck;
  choose("learned", "on");
  show(0);
  return openDialog(dialog);
}
