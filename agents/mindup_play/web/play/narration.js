"use strict";

// The line above the hand that names what happens, the announcements for screen readers, and the
// button that holds the result of a turn until it is pressed.
const Narration = (() => {
  const at = (id) => document.getElementById(id);
  const line = at("narration");
  const button = at("continue");
  // Keys of a text, for another player and for the person.
  const TAKES = ["reveal.takes", "reveal.takes_own"];
  const LOWEST_TAKES = ["reveal.takes_lowest", "reveal.takes_lowest_own"];
  const HIGHEST_TAKES = ["reveal.takes_highest", "reveal.takes_highest_own"];
  const LAST_CARD = ["reveal.last_card", "reveal.last_card_own"];
  let view = null;

  function start(ofPage) {
    view = ofPage;
    button.addEventListener("click", Animations.skip);
  }

  function say(text) {
    line.textContent = text;
  }

  function takes(play, place) {
    const highest = place === view.names.length - 1;
    return placementText(place === 0 ? LOWEST_TAKES : highest ? HIGHEST_TAKES : TAKES, play);
  }

  const lastCard = (placed) => placementText(LAST_CARD, placed);

  function placementText([key, ownKey], { player, card, prize, ...placement }) {
    const values = { name: view.names[player], card, prize, points: Points.text(placement) };
    return Texts.get(player === view.seat ? ownKey : key, values);
  }

  // Waits until the person goes on: by the button, a click beside it, Enter or Space.
  async function hold() {
    Animations.resume();
    document.body.classList.add("holding");
    button.focus({ preventScroll: true });
    await Animations.pause(Infinity);
    document.body.classList.remove("holding");
  }

  // All of a turn in sentences, for screen readers.
  function announce(table, isNewRound) {
    const { plays, last_cards: lastCards } = table.last_turn;
    const sentences = plays.map((play) => placed(play.player === view.seat ? "play.announce_own" : "play.announce", play, play.prize));
    for (const each of lastCards ?? []) {
      sentences.push(placed(each.player === view.seat ? "announce.last_card_own" : "announce.last_card", each, each.card));
    }
    if (isNewRound && !table.over) sentences.push(Texts.get("announce.round", { round: table.round, rounds: table.num_rounds }));
    tell(sentences.join(" "));
  }

  function placed(key, placement, taken) {
    return Texts.get(key, {
      name: view.names[placement.player],
      card: placement.card,
      prize: Cards.name(view.deck, taken),
      points: Points.words(placement),
    });
  }

  function tell(text) {
    at("announcement").textContent = text;
  }

  return { start, say, takes, lastCard, hold, announce, tell };
})();
