// The line above the hand that names what happens, the announcements for screen readers, and the
// button that holds the result of a turn until it is pressed.
const Narration = (() => {
  let view = null;

  const start = (ofPage) => { view = ofPage; };
  const say = (text) => { at("narration").textContent = text; };

  function takes(play, place) {
    const highest = place === view.names.length - 1;
    return shortText(place === 0 ? "reveal.takes_lowest" : highest ? "reveal.takes_highest" : "reveal.takes", play);
  }

  const lastCard = (placed) => shortText("reveal.last_card", placed);

  const shortText = (key, { player, card, prize, ...placement }) => (
    textFor(player, key, { card, prize, points: Points.text(placement) }));

  const longText = (key, placement, taken) => textFor(placement.player, key, {
    card: placement.card, prize: Cards.name(view.deck, taken), points: Points.words(placement),
  });

  // The person's own text of a key is that with "_own".
  const textFor = (player, key, values) => (
    Texts.get(player === view.seat ? `${key}_own` : key, { name: view.names[player], ...values }));

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
      ...plays.map((play) => longText("play.announce", play, play.prize)),
      ...(lastCards ?? []).map((each) => longText("announce.last_card", each, each.card)),
    ];
    if (isNewRound && !table.over) sentences.push(Texts.get("announce.round", { round: table.round, rounds: table.num_rounds }));
    tell(sentences.join(" "));
  }

  const tell = (text) => { at("announcement").textContent = text; };

  at("continue").addEventListener("click", Animations.skip);

  return { start, say, takes, lastCard, hold, announce, tell };
})();

// The first round names what happens: labels in the slots, and a tip before each card is chosen.
// It ends with the first tip of the second round; the settings switch it on and off.
const Guide = (() => {
  const ROUND_1_TIPS = [
    "guide.choose", "guide.column", "guide.next_prizes", "guide.same_colour", "guide.objectives", "guide.last_card",
  ];
  // What each slot is for; nothing after the first round.
  function slotLabels(table) {
    if (!Choices.isOn("guide") || table.round > 1) return null;
    return table.row.map((_, place) => (
      Texts.get(place === 0 ? "guide.lowest" : place === table.row.length - 1 ? "guide.highest" : "guide.next")));
  }

  // Switched on later, it waits for the next game.
  function tip(table) {
    if (!Choices.isOn("guide") || table.over) return "";
    if (table.round === 1) return Texts.get(tipKey(table));
    if (table.round > 2 || table.turn > 1) return "";
    Choices.setOn("guide", false);
    return Texts.get("guide.round_2");
  }

  function tipKey(table) {
    const key = table.turn === table.num_turns ? ROUND_1_TIPS.at(-1) : ROUND_1_TIPS[table.turn - 1];
    return key === "guide.objectives" && !table.objectives.length ? "guide.without_objectives" : key;
  }

  return { slotLabels, tip };
})();
