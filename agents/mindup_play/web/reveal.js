// The reveal of a turn: the chosen cards face down before their players, face up, under the prizes
// that they take; then each prize lands in a tableau, the lowest first, with the points it brings.
// At the end of a round the last cards of the hands land too. All points come from the server.
import * as Animations from "./animations.js";
import * as Narration from "./narration.js";
import { holdsResults } from "./settings.js";

// Milliseconds of each step at normal speed: how long cards move, and how long the step rests. A
// turn of four takes three seconds; the points of all prizes are legible when the last has landed.
const TIMES = {
  choose: { move: 220, rest: 40 },
  reveal: { move: 200, rest: 220 },
  sort: { move: 280, rest: 140 },
  land: { move: 220, rest: 120 },
  landed: { move: 220, rest: 400 }, // the last prize
  lastCards: { move: 400, rest: 350 },
  scored: { move: 400, rest: 700 },
};
const REVEALED = "All cards are revealed together.";
const SORTED = "The lowest card takes the lowest prize, the highest card the highest.";
const LAST_CARDS = "The round ends: each last card is placed in its owner's tableau, without a"
  + " choice.";
const SCORED = "A column scores its number of cards × its score card; bonus and objectives are"
  + " added.";

const step = (times, said, table, view) => ({ times, said, table, view });

// The hands while their played cards lie on the table. A card that is not found is one of those
// that the viewer does not know.
function withoutPlayedCards(table, plays) {
  const players = table.players.map((player, seat) => {
    const { card } = plays.find((play) => play.player === seat);
    const known = player.known.filter((held) => held !== card);
    if (known.length < player.known.length) return { ...player, known };
    const place = Math.max(player.hidden.indexOf(card), 0);
    return { ...player, hidden: player.hidden.toSpliced(place, 1) };
  });
  return { ...table, players };
}

// All cards before their players, face down and face up, then under the prizes; and the landings.
function steps(before, after, { person, names }) {
  const { plays } = after.last_turn;
  const table = withoutPlayedCards(before, plays);
  const chosen = (isShown) => Object.fromEntries(
    plays.map(({ player, card }) => [player, isShown || player === person ? card : null]));
  return [
    step(TIMES.choose, "", table, { chosen: chosen(false) }),
    step(TIMES.reveal, REVEALED, table, { chosen: chosen(true) }),
    step(TIMES.sort, SORTED, table, { played: plays }),
    ...landings(table, after, names),
  ];
}

function landings(start, after, names) {
  const { plays, last_cards: lastCards } = after.last_turn;
  let table = start;
  let landed = []; // the placements that are marked on the table; only the newest lands now

  // A card in its tableau; `changes` are those of its player, `turn` is what has happened so far.
  function land(placed, changes, turn) {
    const { player, column, card } = placed;
    const own = table.players[player];
    const tableau = own.tableau.with(column, [...own.tableau[column], card]);
    const players = table.players.with(player, { ...own, tableau, ...changes });
    table = { ...table, players, last_turn: { ...after.last_turn, ...turn } };
    landed = [...landed.map((each) => ({ ...each, now: false })), { ...placed, now: true }];
  }

  // A prize leaves its place in the row marked. The scores of the turn are known after it; those of
  // a round follow with the last cards.
  const prizes = plays.map((play, place) => {
    const placed = { ...play, card: play.prize };
    const { column_points, round_score, total } = after.players[play.player];
    table = { ...table, row: table.row.with(place, { ...table.row[place], taken: placed }) };
    const scores = lastCards ? {} : { column_points, round_score, total };
    land(placed, scores, { plays: plays.slice(0, place + 1), last_cards: null });
    const times = place === plays.length - 1 ? TIMES.landed : TIMES.land;
    return step(times, Narration.takes(play, place, names), table, { played: plays, landed });
  });
  if (!lastCards) return prizes;

  // The cards played are the next row by now.
  table = { ...table, row: after.row };
  const empty = after.row.map(() => null); // nothing may move
  const first = step(TIMES.lastCards, LAST_CARDS, table, { played: empty });
  const last = lastCards.map((placed, place) => {
    const { player } = placed;
    land({ ...placed, last: true }, {
      column_points: after.round_columns.at(-1).players[player].map(({ points }) => points),
      round_score: after.round_scores.at(-1)[player],
      total: after.players[player].score,
      known: [],
      hidden: [],
    }, { last_cards: lastCards.slice(0, place + 1) });
    return step(TIMES.land, Narration.lastCard(placed, names), table, { played: empty, landed });
  });
  const scored = { ...table, objectives: after.round_objectives.at(-1) };
  const end = step(TIMES.scored, SCORED, scored, { played: empty, breakdown: true });
  return [...prizes, first, ...last, end];
}

// Shows the turn between two states of the table; `draw` draws a table with changes of the view.
// Without motion, that is its end at once, with what the viewer's card took.
export async function show(before, after, view, draw) {
  const all = steps(before, after, view);
  document.querySelector(".row").scrollIntoView({ block: "nearest" });
  if (Animations.isInstant()) {
    const { plays, last_cards: lastCards } = after.last_turn;
    const place = plays.findIndex(({ player }) => player === view.person);
    draw(all.at(-1).table, all.at(-1).view);
    Narration.say(lastCards ? SCORED : Narration.takes(plays[place], place, view.names));
  } else {
    for (const { table, view: changes, said, times } of all) {
      Narration.say(said);
      await Animations.transition(document.body, () => draw(table, changes), times.move);
      await Animations.pause(times.rest);
    }
  }
  if (holdsResults()) await Narration.hold();
}
