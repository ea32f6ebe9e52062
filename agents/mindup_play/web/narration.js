// The line above the hand that names what happens, the announcements for screen readers, the button
// that holds the result of a turn until it is pressed, and the guide through the first round.
import * as Animations from "./animations.js";
import * as Cards from "./cards.js";
import { at, button } from "./page.js";
import { choice, isOn, setOn } from "./settings.js";

export const say = (text) => { at("narration").textContent = text; };
export const announce = (text) => { at("announcement").textContent = text; };

// "Ada: 22 is the lowest card and takes 19, +6 = 5 + 1"
export function takes({ player, card, prize, ...placed }, place, names) {
  const extreme = place === 0 ? "lowest" : place === names.length - 1 ? "highest" : "";
  const rank = extreme && ` is the ${extreme} card and`;
  return `${names[player]}: ${card}${rank} takes ${prize}, ${Cards.gainText(placed)}`;
}

export const lastCard = ({ player, card, ...placed }, names) => (
  `${names[player]}: last card ${card}, ${Cards.gainText(placed)}`);

// Waits until the person goes on: by the button, a click beside it, Enter or Space.
export async function hold() {
  Animations.resume();
  document.body.classList.add("holding");
  at("continue").focus({ preventScroll: true });
  await Animations.pause(Infinity);
  document.body.classList.remove("holding");
  at("continue").blur(); // a hidden button keeps the focus for a while
}

// All of a turn in sentences, for screen readers.
export function announceTurn(table, { deck, names }) {
  const { last_turn: turn, over, round, num_rounds: rounds } = table;
  const words = (placed, card) => `${Cards.name(deck, card)}: ${Cards.gainWords(placed)}.`;
  const lastCards = turn.last_cards ?? [];
  const sentences = [
    ...turn.plays.map((play) => (
      `${names[play.player]}: ${play.card} takes ${words(play, play.prize)}`)),
    ...lastCards.map((each) => `${names[each.player]}: last card ${words(each, each.card)}`),
  ];
  if (lastCards.length && !over) sentences.push(`Round ${round} of ${rounds} begins.`);
  announce(sentences.join(" "));
}

// The first round names what happens: labels in the slots, and a tip before each card is chosen. It
// ends with the first tip of the second round; the settings switch it on and off.
const OBJECTIVES = "Objectives count at the end of the round, for each player who meets them then.";
const NO_OBJECTIVES = "A new colour opens the next column, and brings the score card above it.";
const LAST_CARD = "Two cards are left: play one; the other goes into your own tableau.";
const ROUND_2 = "Your tableau is now your hand: the others know the cards with an eye.";
const TIPS = [
  "Choose a card: all are revealed together, and the lowest takes the lowest prize.",
  "Each card of a column brings its score card again: many of one colour, under a high one.",
  "The prizes are the cards that were just played. What will the others play?",
  "The number under a prize is what it would bring you, with its own bonus or malus.",
];

// In the first turn, the goal of the game, below the score cards.
export const goal = ({ turns_played: turns, num_rounds: rounds }) => (isOn("guide") && turns === 0
  ? [
    `Most points after ${rounds} rounds win: a card scores the number above it.`,
    choice("learned") === null && button("How to play", () => at("learn").click()),
  ] : null);

// What each slot is for; nothing after the first round.
export function slotLabels({ row, round }) {
  if (!isOn("guide") || round > 1) return null;
  return row.map((_, place) => (
    place === 0 ? "lowest card" : place === row.length - 1 ? "highest card" : "next lowest"));
}

export function tip({ over, round, turn, num_turns: turns, objectives }) {
  if (!isOn("guide") || over || round > 2) return "";
  if (round === 2) {
    if (turn === 1) setOn("guide", false);
    return turn === 1 ? ROUND_2 : "";
  }
  if (turn === turns) return LAST_CARD;
  return TIPS[turn - 1] ?? (objectives.length ? OBJECTIVES : NO_OBJECTIVES);
}
