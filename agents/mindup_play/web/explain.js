// Why the best card of a choice is better than the card that was played: how often each takes each
// prize of the row in the sampled games of the review, what a prize brings, and which card is kept.
import * as Cards from "./cards.js";
import { decimals, percent, signed } from "./page.js";
import { row, table } from "./scores.js";

const LEAST = 0.05; // a smaller difference of mean points is none

const pointsText = (points) => decimals(points, 1, { signDisplay: "always" });

// The prizes of a table with what each brings a player.
const prizesOf = ({ row: prizes }, seat) => (
  prizes.map(({ prize, brings }) => ({ prize, points: brings[seat].points })));

const mean = (chances, prizes) => (
  chances.reduce((sum, chance, place) => sum + chance * prizes[place].points, 0));

// One sentence of these numbers, and one with the cost in its unit.
export function sentence(choice, state, unit) {
  const { seat, played, best, cost, margin, mistake, prizes: chances } = choice;
  const prizes = prizesOf(state, seat);
  const place = (card) => chances[card].indexOf(Math.max(...chances[card]));
  const takes = (card) => `${card} takes ${prizes[place(card)].prize}`
    + ` (${signed(prizes[place(card)].points)}) in ${percent(chances[card][place(card)])}`;
  const first = `${takes(best)} of the sampled games`;
  if (played === best) return `${first}. No other card is better.`;
  const [less, more] = [played, best].map((card) => mean(chances[card], prizes));
  const second = place(played) === place(best)
    ? `and so does ${played} in ${percent(chances[played][place(best)])}` : takes(played);
  const kept = state.turn === state.num_turns ? `${played} becomes the last card`
    : `${played} stays in the hand`;
  const than = Math.abs(more - less) > LEAST ? `instead of ${pointsText(less)}` : "with both";
  const isKeptFor = mistake && more - less <= LEAST; // not for what the prizes bring
  const why = isKeptFor ? `, but ${kept}, which is worth more` : `, and ${kept}`;
  const [difference, error] = [cost, margin].map((part) => Cards.formatDifference(unit, part));
  const worth = mistake ? `${best} is better by ${difference}, give or take ${error}.`
    : "It hardly matters which of them is played.";
  return `${first}, ${second}. On average that brings ${pointsText(more)} ${than}${why}. ${worth}`;
}

// A row for each of the two cards: the chance of each prize, and the mean of what they bring.
export function prizesTable({ seat, played, best, prizes: chances }, state, { deck }) {
  const prizes = prizesOf(state, seat);
  const heads = prizes.map(({ prize, points }) => (
    [Cards.card(deck, prize, false), " ", signed(points)]));
  const rows = [...new Set([best, played])].map((card) => row(
    card === best ? `Best: ${card}` : `Played: ${card}`,
    [...chances[card].map((chance) => percent(chance)), pointsText(mean(chances[card], prizes))],
  ));
  return table("figures prizes", ["Takes", ...heads, "Mean"], rows);
}
