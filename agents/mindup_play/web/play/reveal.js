"use strict";

// The reveal of a turn: the chosen cards face down before their players, face up, under the prizes
// that they take; then each prize lands in a tableau, the lowest first, with the points it brings.
// At the end of a round the last cards of the hands land too. All points come from the server.
const Reveal = (() => {
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

  // The steps of a turn: [table, what else is drawn, what is said of it, milliseconds].
  function* steps(before, after, viewer) {
    const { plays, last_cards: lastCards } = after.last_turn;
    let table = withoutPlayedCards(before, plays, viewer);
    const chosen = (isShown) => Object.fromEntries(
      plays.map(({ player, card }) => [player, isShown || player === viewer ? card : null]));
    yield [table, { chosen: chosen(false) }, null, 100];
    yield [table, { chosen: chosen(true) }, Texts.get("reveal.revealed"), 600];
    yield [table, { played: plays }, Texts.get("reveal.sorted"), 500];
    const landed = [];
    const landing = (placed, last) => {
      landed.forEach((each) => { each.now = false; });
      landed.push({ ...placed, last, now: true });
      return landed.map((each) => ({ ...each }));
    };
    for (const [place, play] of plays.entries()) {
      const placed = { ...play, card: play.prize };
      table = withPrize(table, placed, place, after);
      table.last_turn = { ...after.last_turn, plays: plays.slice(0, place + 1), last_cards: null };
      yield [table, { played: plays, landed: landing(placed, false) }, Narration.takes(play, place), 420];
    }
    if (!lastCards) return;
    table = { ...table, row: after.row };
    const withoutSlots = (placements) => ({ played: null, landed: placements });
    yield [table, withoutSlots(landed.map((each) => ({ ...each, now: false }))), Texts.get("reveal.last_cards"), 500];
    for (const [place, placed] of lastCards.entries()) {
      table = withLastCard(table, placed, after);
      table.last_turn = { ...after.last_turn, last_cards: lastCards.slice(0, place + 1) };
      yield [table, withoutSlots(landing(placed, true)), Narration.lastCard(placed), 420];
    }
    table = { ...table, objectives: after.round_objectives.at(-1) };
    yield [table, { ...withoutSlots([]), breakdown: true }, Texts.get("reveal.scored"), 900];
  }

  // Shows the turn between two states of the table; `draw` draws a table with changes of the view.
  async function show(before, after, viewer, draw) {
    const all = [...steps(before, after, viewer)];
    if (Animations.instant()) {
      const [table, view, said] = all.at(-1);
      draw(table, view);
      Narration.say(said);
    } else {
      for (const [table, view, said, rest] of all) {
        if (said) Narration.say(said);
        await Animations.transition(document.body, () => draw(table, view), 420);
        await Animations.pause(rest);
      }
    }
    if (Speed.holds()) await Narration.hold();
  }

  return { show };
})();
