// How to play, in a few pages with pictures that are drawn as the table is.
const Learn = (() => {
  const dialog = at("learn-dialog");
  let deck = [];
  let shown = 0;

  const row = (...content) => element("div", "picture-row", ...content);
  const face = (number) => Cards.card(deck, number, false);
  const captioned = (text, ...content) => element("div", "picture-item", ...content, element("span", "caption", text));

  const name = (number) => Texts.get("table.player", { number });

  // All players choose a card; a raised one is chosen.
  function choosing() {
    const chosen = face(22);
    chosen.classList.add("raised");
    const hidden = [1, 2].map(name).map((each) => captioned(each, Cards.back(Texts.get("table.face_down", { name: each }))));
    return [row(...hidden), row(face(8), chosen, face(33), face(46))];
  }

  // The lowest card takes the lowest prize.
  function taking() {
    const [prizes, played] = [[3, 19, 44], [11, 22, 40]];
    const takers = [name(2), Texts.get("table.you"), name(1)];
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
    const sum = Texts.get("learn.sum", { columns, bonus: EXAMPLE.bonus, total: EXAMPLE.total });
    return [tableau({ breakdown: true }), element("p", "picture-sum", sum)];
  }

  function nextRound() {
    const hand = EXAMPLE.columns.flat().sort((one, other) => one - other).map(face);
    for (const each of hand) each.classList.add("known");
    return [element("div", "picture-row small", ...hand, element("span", "arrow", "+"), Cards.back(Texts.get("table.unknown_card")))];
  }

  function objective() {
    return [Objectives.list(
      [{ id: "five_colours", points: 2, met_by: [0, 2] }, { id: "purple_most", points: -2, met_by: [1] }],
      [Texts.get("table.you"), name(1), name(2)], Texts.get("scores.objectives"), "table.met_by_now",
    )];
  }

  const PAGES = [
    ["learn.choose_title", "learn.choose", choosing],
    ["learn.take_title", "learn.take", taking],
    ["learn.place_title", "learn.place", () => [tableau({ landed: [{ player: 0, ...EXAMPLE.landed }] })]],
    ["learn.score_title", "learn.score", scoring],
    ["learn.next_title", "learn.next", nextRound],
    ["learn.objectives_title", "learn.objectives", objective],
  ];

  function show(page) {
    shown = Math.min(Math.max(page, 0), PAGES.length - 1);
    const [titleKey, textKey, picture] = PAGES[shown];
    at("learn-title").textContent = Texts.get(titleKey);
    at("learn-text").textContent = Texts.get(textKey);
    at("learn-picture").replaceChildren(...picture());
    at("learn-place").textContent = Texts.get("learn.page", { page: shown + 1, pages: PAGES.length });
    at("learn-back").ariaDisabled = String(shown === 0);
    at("learn-next").textContent = Texts.get(shown === PAGES.length - 1 ? "learn.done" : "learn.forward");
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
