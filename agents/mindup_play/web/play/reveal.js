"use strict";

// The reveal of a turn: the chosen cards face down before their players, face up, under the prizes
// that they take; then each prize lands in a tableau, the lowest first, with the points it brings.
// At the end of a round the last cards of the hands land too. All points come from the server.
const Reveal = (() => {
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

  // The hands while their played cards lie on the table.
  function withoutPlayedCards(table, plays, viewer) {
    const players = table.players.map((player, seat) => {
      const { card } = plays.find((play) => play.player === seat);
      const known = player.known.filter((held) => held !== card);
      let hidden = player.hidden.filter((held) => held !== card);
      // The card came from those that the viewer does not know.
      const found = known.length + hidden.length < player.known.length + player.hidden.length;
      if (seat !== viewer && !found) hidden = hidden.slice(1);
      return { ...player, known, hidden };
    });
    return { ...table, players };
  }

  const withPlayer = (table, seat, changes) => ({
    ...table,
    players: table.players.map((player, other) => (other === seat ? { ...player, ...changes } : player)),
  });

  const withCard = (tableau, { column, card }) => (
    tableau.map((cards, place) => (place === column ? [...cards, card] : cards)));

  // A prize in its tableau; its place in the row stays marked. The scores of the turn are known
  // after it; those of a round follow with the last cards.
  function withPrize(table, placed, place, after) {
    const row = table.row.map((each, other) => (other === place ? { ...each, taken: placed } : each));
    const { column_points, round_score, total } = after.players[placed.player];
    const scores = after.last_turn.last_cards ? {} : { column_points, round_score, total };
    const tableau = withCard(table.players[placed.player].tableau, placed);
    return withPlayer({ ...table, row }, placed.player, { tableau, ...scores });
  }

  // A last card in its tableau, with the score of the round.
  function withLastCard(table, placed, after) {
    const { player } = placed;
    return withPlayer(table, player, {
      tableau: withCard(table.players[player].tableau, placed),
      column_points: after.round_columns.at(-1).players[player].map(({ points }) => points),
      round_score: after.round_scores.at(-1)[player],
      total: after.players[player].score,
      known: [],
      hidden: [],
    });
  }

  // The steps of a turn, each with what is said of it, and its times.
  function steps(before, after, viewer) {
    const { plays, last_cards: lastCards } = after.last_turn;
    const table = withoutPlayedCards(before, plays, viewer);
    const landed = landedPrizes(table, after);
    const all = [...choices(table, plays, viewer), ...landed];
    if (!lastCards) return all;
    return [...all, ...landedLastCards(landed.at(-1), after)];
  }

  // All cards before their players, face down and face up, and then under the prizes.
  function choices(table, plays, viewer) {
    const chosen = (isShown) => Object.fromEntries(
      plays.map(({ player, card }) => [player, isShown || player === viewer ? card : null]));
    return [
      { table, view: { chosen: chosen(false) }, said: "", times: TIMES.choose },
      { table, view: { chosen: chosen(true) }, said: Texts.get("reveal.revealed"), times: TIMES.reveal },
      { table, view: { played: plays }, said: Texts.get("reveal.sorted"), times: TIMES.sort },
    ];
  }

  // The placements that are marked on the table; only the newest of them is landing now.
  const marked = (placements, newest) => [...placements.map((each) => ({ ...each, now: false })), { ...newest, now: true }];

  function landedPrizes(start, after) {
    const { plays } = after.last_turn;
    let [table, landed] = [start, []];
    return plays.map((play, place) => {
      const prize = { ...play, card: play.prize };
      const last_turn = { ...after.last_turn, plays: plays.slice(0, place + 1), last_cards: null };
      table = { ...withPrize(table, prize, place, after), last_turn };
      landed = marked(landed, prize);
      const times = place === plays.length - 1 ? TIMES.landed : TIMES.land;
      return { table, view: { played: plays, landed }, said: Narration.takes(play, place), times };
    });
  }

  // The cards played are the next row by now.
  function landedLastCards({ table: start, view }, after) {
    const { last_cards: lastCards } = after.last_turn;
    let [table, landed] = [{ ...start, row: after.row }, view.landed.map((each) => ({ ...each, now: false }))];
    const first = { table, view: { played: null, landed }, said: Texts.get("reveal.last_cards"), times: TIMES.lastCards };
    const landings = lastCards.map((placed, place) => {
      const last_turn = { ...after.last_turn, last_cards: lastCards.slice(0, place + 1) };
      table = { ...withLastCard(table, placed, after), last_turn };
      landed = marked(landed, { ...placed, last: true });
      return { table, view: { played: null, landed }, said: Narration.lastCard(placed), times: TIMES.land };
    });
    const scored = { ...table, objectives: after.round_objectives.at(-1) };
    const end = { table: scored, view: { played: null, breakdown: true }, said: Texts.get("reveal.scored"), times: TIMES.scored };
    return [first, ...landings, end];
  }

  // Without motion: the end of the turn at once, with what the viewer's card took.
  function showResult(all, after, viewer, draw) {
    const { table, view, said } = all.at(-1);
    const place = after.last_turn.plays.findIndex(({ player }) => player === viewer);
    draw(table, view);
    Narration.say(after.last_turn.last_cards ? said : Narration.takes(after.last_turn.plays[place], place));
  }

  // Shows the turn between two states of the table; `draw` draws a table with changes of the view.
  async function show(before, after, viewer, draw) {
    const all = steps(before, after, viewer);
    if (Animations.instant()) {
      showResult(all, after, viewer, draw);
    } else {
      for (const { table, view, said, times } of all) {
        Narration.say(said);
        await Animations.transition(document.body, () => draw(table, view), times.move);
        await Animations.pause(times.rest);
      }
    }
    if (Speed.holds()) await Narration.hold();
  }

  return { show };
})();
