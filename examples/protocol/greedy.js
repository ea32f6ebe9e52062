// The bot greedy as a program: plays the card with the highest expected points.
//
// It needs nothing but Node.js: mindup arena rank "process:node greedy.js" random

"use strict";
const readline = require("node:readline");

// How likely an opponent, who plays any card of the hand, plays one lower than the card.
function lowerProbability(card, unseen, known, unknown) {
  const below = (cards) => cards.filter((other) => other < card).length;
  const hiddenLower = below(unseen) * (1 / Math.max(unseen.length, 1));
  return (below(known) + unknown * hiddenLower) / Math.max(known.length + unknown, 1);
}

// How likely the card takes each prize: the number of lower cards decides.
function prizeProbabilities(card, unseen, seat) {
  const places = [1, ...seat.row.map(() => 0)];
  for (let player = 1; player < seat.known.length; player++) {
    const lower = lowerProbability(card, unseen, seat.known[player], seat.unknown[player]);
    for (let place = places.length - 1; place > 0; place--) {
      places[place] += (places[place - 1] - places[place]) * lower;
    }
    places[0] *= 1 - lower;
  }
  return places;
}

// The score card above the column that the prize joins or opens, and the bonus.
function prizeValue(prize, game, seat) {
  const columns = seat.columns[0]; // of the viewer, for each colour, from 1
  const card = game.deck[prize - 1];
  const open = columns.filter((column) => column > 0).length;
  const column = columns[game.colours.indexOf(card.colour)] || open + 1;
  return seat.score_cards[column - 1] + card.points;
}

// The card of the hand with the highest expected points, the lowest of equal ones.
function choose(seat, game) {
  const seen = new Set([seat.hand, seat.row, ...seat.tableaux, ...seat.known].flat());
  const unseen = game.deck.map((card) => card.number).filter((number) => !seen.has(number));
  const values = seat.row.map((prize) => prizeValue(prize, game, seat));
  let best = 0;
  let most = -Infinity;
  for (const card of seat.hand) {
    const places = prizeProbabilities(card, unseen, seat);
    const points = values.reduce((total, value, place) => total + places[place] * value, 0);
    if (points > most) {
      [best, most] = [card, points];
    }
  }
  return best;
}

let game = null;
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  let answer = { type: "ready", protocol: 1, name: "greedy in JavaScript" };
  if (message.type === "hello") {
    game = message; // the deck is in the order of the numbers, from 1
  } else {
    const cards = message.seats.map((seat) => choose(seat, game));
    answer = { type: "cards", id: message.id, cards };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
