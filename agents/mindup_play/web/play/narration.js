// The line above the hand that names what happens, the announcements for screen readers, and the
// button that holds the result of a turn until it is pressed.
const Narration = (() => {
  let view = null;

  const start = (ofPage) => { view = ofPage; };
  const say = (text) => { at("narration").textContent = text; };

  // "Ada: 22 is the lowest card and takes 19, +6 = 5 + 1"
  function takes({ player, card, prize, ...placement }, place) {
    const extreme = place === 0 ? "lowest" : place === view.names.length - 1 ? "highest" : "";
    const rank = extreme && ` is the ${extreme} card and`;
    return `${view.names[player]}: ${card}${rank} takes ${prize}, ${Points.text(placement)}`;
  }

  const lastCard = ({ player, card, ...placement }) => `${view.names[player]}: last card ${card}, ${Points.text(placement)}`;

  // Waits until the person goes on: by the button, a click beside it, Enter or Space.
  async function hold() {
    Animations.resume();
    document.body.classList.add("holding");
    at("continue").focus({ preventScroll: true });
    await Animations.pause(Infinity);
    document.body.classList.remove("holding");
  }

  // All of a turn in sentences, for screen readers.
  function announce(table, isNewRound) {
    const { plays, last_cards: lastCards } = table.last_turn;
    const sentences = [
      ...plays.map((play) => (
        `${view.names[play.player]}: ${play.card} takes ${Cards.name(view.deck, play.prize)}: ${Points.words(play)}.`)),
      ...(lastCards ?? []).map((each) => (
        `${view.names[each.player]}: last card ${Cards.name(view.deck, each.card)}: ${Points.words(each)}.`)),
    ];
    if (isNewRound && !table.over) sentences.push(`Round ${table.round} of ${table.num_rounds} begins.`);
    tell(sentences.join(" "));
  }

  const tell = (text) => { at("announcement").textContent = text; };

  at("continue").addEventListener("click", Animations.skip);

  return { start, say, takes, lastCard, hold, announce, tell };
})();

// The first round names what happens: labels in the slots, and a tip before each card is chosen.
// It ends with the first tip of the second round; the settings switch it on and off.
const Guide = (() => {
  const CHOOSE = "Choose a card: all are revealed together, and the lowest takes the lowest prize.";
  const COLUMN = "Your prize opened a column: it brings the score card above it, and its own bonus.";
  const NEXT_PRIZES = "The prizes are the cards that were just played. What will the others play?";
  const SAME_COLOUR = "A colour that you have goes into its column; a new colour opens the next column.";
  const OBJECTIVES = "Objectives count at the end of the round. Click on one to see what it means.";
  const NO_OBJECTIVES = "Under a high score card, many cards of one colour bring the most.";
  const LAST_CARD = "Two cards are left: play one; the other goes into your own tableau.";
  const ROUND_2 = "Your tableau is now your hand: the others know the cards with an eye.";

  // What each slot is for; nothing after the first round.
  function slotLabels(table) {
    if (!Choices.isOn("guide") || table.round > 1) return null;
    return table.row.map((_, place) => (
      place === 0 ? "lowest card" : place === table.row.length - 1 ? "highest card" : "next lowest"));
  }

  // Switched on later, it waits for the next game.
  function tip(table) {
    if (!Choices.isOn("guide") || table.over) return "";
    if (table.round === 1) return firstRoundTip(table);
    if (table.round > 2 || table.turn > 1) return "";
    Choices.setOn("guide", false);
    return ROUND_2;
  }

  function firstRoundTip({ turn, num_turns: turns, objectives }) {
    if (turn === turns) return LAST_CARD;
    return [CHOOSE, COLUMN, NEXT_PRIZES, SAME_COLOUR, objectives.length ? OBJECTIVES : NO_OBJECTIVES][turn - 1];
  }

  return { slotLabels, tip };
})();
