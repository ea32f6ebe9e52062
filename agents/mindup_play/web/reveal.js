// The reveal of a turn: the chosen cards face down before their players, face up, under the prizes
// that they take; then each prize lands in a tableau, the lowest first, with the points it brings.
// At the end of a round the last cards of the hands land too. All points come from the server.
import * as Animations from "./animations.js";
import { holdsResults } from "./dialogs.js";
import * as Narration from "./narration.js";

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
const SORTED = "The lowest card takes the lowest prize, the highest card the highest.";
const LAST_CARDS = "The round ends: each last card is placed in its owner's tableau, without a"
  + " choice.";
const SCORED = "A column scores its number of cards × its score card; bonus and objectives are"
  + " added.";

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

// The steps of a turn, each with what is said of it, and its times: all cards before their players,
// face down and face up, and then under the prizes; and their landings.
function steps(before, after, { seat: viewer, names }) {
  const { plays } = after.last_turn;
  const table = withoutPlayedCards(before, plays);
  const chosen = (isShown) => Object.fromEntries(
    plays.map(({ player, card }) => [player, isShown || player === viewer ? card : null]));
  return [
    { table, view: { chosen: chosen(false) }, said: "", times: TIMES.choose },
    {
      table,
      view: { chosen: chosen(true) },
      said: "All cards are revealed together.",
      times: TIMES.reveal,
    },
    { table, view: { played: plays }, said: SORTED, times: TIMES.sort },
    ...landings(table, after, names),
  ];
}

function landings(start, after, names) {
  const { plays, last_cards: lastCards } = after.last_turn;
  let table = start;
  let landed = []; // the placements that are marked on the table; only the newest lands now
  const rest = () => landed.map((each) => ({ ...each, now: false }));

  // A card in its tableau; `changes` are those of its player, `turn` is what has happened so far.
  function land(placed, changes, turn) {
    const { player, column, card } = placed;
    const own = table.players[player];
    const tableau = own.tableau.with(column, [...own.tableau[column], card]);
    const players = table.players.with(player, { ...own, tableau, ...changes });
    table = { ...table, players, last_turn: { ...after.last_turn, ...turn } };
    landed = [...rest(), { ...placed, now: true }];
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
    const said = Narration.takes(play, place, names);
    return { table, view: { played: plays, landed }, said, times };
  });
  if (!lastCards) return prizes;

  // The cards played are the next row by now.
  table = { ...table, row: after.row };
  const view = { played: null, landed: rest() };
  const first = { table, view, said: LAST_CARDS, times: TIMES.lastCards };
  const last = lastCards.map((placed, place) => {
    const { player } = placed;
    land({ ...placed, last: true }, {
      column_points: after.round_columns.at(-1).players[player].map(({ points }) => points),
      round_score: after.round_scores.at(-1)[player],
      total: after.players[player].score,
      known: [],
      hidden: [],
    }, { last_cards: lastCards.slice(0, place + 1) });
    const said = Narration.lastCard(placed, names);
    return { table, view: { played: null, landed }, said, times: TIMES.land };
  });
  const scored = { ...table, objectives: after.round_objectives.at(-1) };
  const sums = { played: null, breakdown: true };
  const end = { table: scored, view: sums, said: SCORED, times: TIMES.scored };
  return [...prizes, first, ...last, end];
}

// Without motion: the end of the turn at once, with what the viewer's card took.
function showResult(all, { last_turn: turn }, { seat, names }, draw) {
  const { table, view, said } = all.at(-1);
  const place = turn.plays.findIndex(({ player }) => player === seat);
  draw(table, view);
  Narration.say(turn.last_cards ? said : Narration.takes(turn.plays[place], place, names));
}

// Shows the turn between two states of the table; `draw` draws a table with changes of the view.
export async function show(before, after, view, draw) {
  const all = steps(before, after, view);
  const scrollTo = (selector) => (
    document.querySelector(selector).scrollIntoView({ block: "nearest" }));
  scrollTo(".row");
  if (Animations.isInstant()) {
    showResult(all, after, view, draw);
  } else {
    for (const { table, view: changes, said, times } of all) {
      Narration.say(said);
      const newest = changes.landed?.at(-1);
      if (newest) scrollTo(`.panel[data-player="${newest.player}"]`);
      await Animations.transition(document.body, () => draw(table, changes), times.move);
      await Animations.pause(times.rest);
    }
  }
  if (holdsResults()) await Narration.hold();
}
