"use strict";

// The reveal of a turn: all cards face down, face up, then under the prizes that they take.
const Reveal = (() => {
  // The hands while their played cards lie in the middle.
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

  // The scored tableaux of a round, before they become hands.
  function withScoredTableaux(before, after) {
    const scores = after.round_scores.at(-1);
    const players = before.players.map((player, seat) => ({
      ...player,
      tableau: after.last_turn.scored_tableaux[seat],
      known: [],
      hidden: [],
      running_score: scores[seat].total,
      total: after.players[seat].score,
    }));
    const objectives = after.round_objectives.at(-1);
    return { ...before, players, objectives, row: after.row, last_turn: after.last_turn };
  }

  // Shows the turn between two states of the table; `draw` draws a table and the cards in its middle.
  async function show(before, after, viewer, draw) {
    const { plays, scored_tableaux: roundEnded } = after.last_turn;
    const bySeat = [...plays].sort((one, other) => one.player - other.player);
    const faceDown = bySeat.map(({ player, card }) => ({ player, card: player === viewer ? card : null }));
    const table = withoutPlayedCards(before, plays, viewer);
    const step = (played, milliseconds) => (
      Animations.transition(document.body, () => draw(table, played), milliseconds));
    if (Animations.reduced()) {
      await step(plays, 0);
      await Animations.pause(700);
    } else {
      await step(faceDown, 450);
      await step(bySeat, 450);
      await Animations.pause(450);
      await step(plays, 600);
      await Animations.pause(650);
    }
    if (roundEnded) {
      await Animations.transition(document.body, () => draw(withScoredTableaux(before, after), null), 800);
      await Animations.pause(900);
    }
  }

  return { show };
})();
