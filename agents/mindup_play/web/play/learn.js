// How to play, in a few pages with pictures that are drawn as the table is.
const Learn = (() => {
  const dialog = at("learn-dialog");
  let deck = [];
  let shown = 0;

  const row = (...content) => element("div", "picture-row", ...content);
  const face = (number) => Cards.card(deck, number, false);
  const captioned = (text, ...content) => element("div", "picture-item", ...content, element("span", "caption", text));

  const name = (number) => `player ${number}`;

  // All players choose a card; a raised one is chosen.
  function choosing() {
    const chosen = face(22);
    chosen.classList.add("raised");
    const hidden = [1, 2].map(name).map((each) => captioned(each, Cards.back(`a card of ${each}, face down`)));
    return [row(...hidden), row(face(8), chosen, face(33), face(46))];
  }

  // The lowest card takes the lowest prize.
  function taking() {
    const [prizes, played] = [[3, 19, 44], [11, 22, 40]];
    const takers = [name(2), "You", name(1)];
    return [row(...prizes.map((prize, place) => (
      captioned(takers[place], face(prize), element("span", "arrow", "\u2191"), face(played[place])))))];
  }

  // An example whose points a test compares with the rules.
  const EXAMPLE = {
    score_cards: [2, 4, 1, 5, 3],
    columns: [[22, 54], [3], [5], [8, 23, 45], []],
    points: [4, 4, 1, 15, 0],
    landed: { card: 45, column: 3, score_card: 5, bonus: 2, points: 7 },
    bonus: 6,
    total: 30,
  };

  const tableau = (changes) => element("div", "panel", Panel.columns(
    { players: [{ tableau: EXAMPLE.columns, column_points: EXAMPLE.points }], score_cards: EXAMPLE.score_cards },
    { deck, isPicture: true, ...changes },
    0,
  ));

  function scoring() {
    const columns = Points.sum(EXAMPLE.points.filter((points) => points !== 0));
    const sum = `${columns} + ${EXAMPLE.bonus} bonus = ${EXAMPLE.total}`;
    return [tableau({ breakdown: true }), element("p", "picture-sum", sum)];
  }

  function nextRound() {
    const hand = EXAMPLE.columns.flat().sort((one, other) => one - other).map(face);
    for (const each of hand) each.classList.add("known");
    return [element("div", "picture-row small", ...hand, element("span", "arrow", "+"), Cards.back("a card that only its owner knows"))];
  }

  function objective() {
    const objectives = [
      { condition: "cards of all five colours", points: 2, met_by: [0, 2] },
      { condition: "nobody has more purple cards than you", points: -2, met_by: [1] },
    ];
    return [Objectives.list(objectives, ["You", name(1), name(2)], "Objectives", Objectives.NOW)];
  }

  const PAGES = [
    {
      title: "All players choose a card",
      text: "You have a hand of seven cards. In each turn, all players choose one card in secret and reveal it together. Choose a card and press the button, or drag it to the table.",
      picture: choosing,
    },
    {
      title: "The lowest card takes the lowest prize",
      text: "In the middle lies a row of prizes, one for each player. The lowest card takes the lowest prize, the second lowest the second, and so on. The cards played are the prizes of the next turn.",
      picture: taking,
    },
    {
      title: "A column for each colour",
      text: "Your prize goes into the column of its colour; a new colour opens the next empty column. It brings the points of the score card above the column, and the bonus or malus printed on it.",
      picture: () => [tableau({ landed: [{ player: 0, ...EXAMPLE.landed }] })],
    },
    {
      title: "The score of a round",
      text: "Turns are played until one card is left in each hand; it goes into your own tableau. Then each column scores its number of cards times its score card, and all bonus points are added.",
      picture: scoring,
    },
    {
      title: "Your tableau is your next hand",
      text: "For the next round you take your tableau into your hand and draw one card. The others know the cards with an eye, all but the new one, and you know theirs. After three rounds, the highest total wins.",
      picture: nextRound,
    },
    {
      title: "Optional objectives",
      text: "A game may have bonus objectives. At the end of a round each player who meets one scores its points, plus or minus. The table shows who would score them now.",
      picture: objective,
    },
  ];

  function show(page) {
    shown = Math.min(Math.max(page, 0), PAGES.length - 1);
    const { title, text, picture } = PAGES[shown];
    at("learn-title").textContent = title;
    at("learn-text").textContent = text;
    at("learn-picture").replaceChildren(...picture());
    at("learn-place").textContent = `${shown + 1} of ${PAGES.length}`;
    at("learn-back").ariaDisabled = String(shown === 0);
    at("learn-next").textContent = shown === PAGES.length - 1 ? "To the table" : "Next";
  }

  at("learn-back").addEventListener("click", () => show(shown - 1));
  at("learn-next").addEventListener("click", () => (shown === PAGES.length - 1 ? dialog.close() : show(shown + 1)));
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowRight") show(shown + 1);
    if (key === "ArrowLeft") show(shown - 1);
  });

  function open(ofDeck) {
    deck = ofDeck;
    show(0);
    return Dialogs.open(dialog);
  }

  return { open, example: EXAMPLE };
})();
