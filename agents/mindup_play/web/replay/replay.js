// Rings around cards of a drawn table, each explained by the legend: the card that a player plays
// next, the card that was advised, the prize taken last, and a card that only its owner knows.
const Marks = (() => {
  const LEGEND = {
    played: "played in this turn",
    advised: "highest value",
    taken: "prize taken in the last turn",
    hidden: "only its owner knows it",
  };

  // `next` are the plays of the next turn, or null; `advised` has the advised card by player.
  function draw(root, table, next, advised) {
    const mark = (player, area, number, kind) => root
      .querySelector(`.panel[data-player="${player}"] ${area} [data-card="${number}"]`)?.classList.add(`mark-${kind}`);
    for (const { player, card } of next?.plays ?? []) mark(player, ".hand-cards", card, "played");
    for (const [player, card] of advised) mark(player, ".hand-cards", card, "advised");
    if (!table.last_turn?.last_cards) {
      for (const { player, prize } of table.last_turn?.plays ?? []) mark(player, ".tableau", prize, "taken");
    }
    for (const card of root.querySelectorAll(".hidden-card")) card.classList.add("mark-hidden");
  }

  // The explanation of the rings that are on the table now.
  function drawLegend(legend, root) {
    const present = Object.entries(LEGEND).filter(([kind]) => root.querySelector(`.mark-${kind}`));
    legend.replaceChildren(...present.map(([kind, text]) => (
      element("li", "", element("span", `sample mark-${kind}`), element("span", "", text)))));
  }

  return { draw, drawLegend };
})();

// The table of a recorded game, or of one that bots play now: its state after each turn.
const Replay = (() => {
  const [ALL, PUBLIC] = ["all", "public"];
  const view = { showKnown: true, showHidden: true, person: null, seat: null, played: null };
  let tables = [];
  let evaluations = null; // by turn and player
  let names = [];
  let viewer = ALL; // or PUBLIC, or the seat whose view is shown
  let parts = []; // of the panel beside the table, {draw, made}: drawn anew for each turn and viewer

  function progressText(table) {
    const progress = TableView.progress(table);
    if (!table.over) return `${progress} · ${table.turns_played} played`;
    return `The game is over: ${TableView.result(table, view)}`;
  }

  const isOpen = (player) => viewer === ALL || viewer === player;

  // The table without the cards that the viewer does not know.
  function seenTable(table) {
    const players = table.players.map((player, seat) => (
      isOpen(seat) ? player : { ...player, hidden: player.hidden.map(() => null) }));
    return { ...table, players };
  }

  const bestCard = (values) => (
    Number(Object.entries(values).reduce((best, each) => (each[1] > best[1] ? each : best))[0]));

  function draw() {
    const table = tables[Stepper.shown];
    const shown = evaluations?.[Stepper.shown]?.map((each, player) => (isOpen(player) ? each : null)) ?? null;
    const advised = (shown ?? []).flatMap((each, player) => (each ? [[player, bestCard(each.values)]] : []));
    const next = tables[Stepper.shown + 1]?.last_turn ?? null;
    TableView.draw(at("table"), seenTable(table), { ...view, evaluations: shown });
    Marks.draw(at("table"), table, next, advised);
    Marks.drawLegend(at("legend"), at("table"));
    at("progress").textContent = progressText(table);
    at("turn").setAttribute("aria-valuetext", progressText(table));
    const scores = names.map((_, player) => tables.map(({ players }) => players[player].total));
    const texts = { label: "Scores by turn", axis: "turns; dashed: end of a round" };
    at("graph").replaceChildren(graph(scores, { ...texts, format: Texts.number }));
    const rounds = table.round_scores.length;
    at("score-tables").replaceChildren(...(rounds
      ? [Scores.ofRound(table, view, rounds), Scores.byRounds(table, view)] : []));
    for (const part of parts) {
      const made = part.draw(Stepper.shown, viewer);
      part.made.replaceWith(made);
      part.made = made;
    }
  }

  // A graph over the turns of this game; see graph.js for `content`.
  function graph(series, content) {
    const rounds = tables.flatMap(({ last_turn: turn }, index) => (turn?.last_cards ? [index] : []));
    return Graph.draw(series, { shown: Stepper.shown, last: tables.length - 1, names, rounds, ...content }, Stepper.step);
  }

  function show(turn, before) {
    const adjacent = Math.abs(turn - before) === 1;
    Animations.skip();
    Animations.resume();
    if (adjacent) Animations.transition(at("table"), draw, 600);
    else draw();
  }

  // Who sees: ALL, PUBLIC or a seat.
  function setViewer(who) {
    viewer = who;
    at("viewer").value = who;
    draw();
  }

  // More turns of a game that is being played, and the evaluations of the turn before each.
  function append(more, moreEvaluations, moreToCome) {
    tables.push(...more);
    evaluations?.push(...moreEvaluations);
    Stepper.setLast(tables.length - 1, moreToCome);
    if (more.length) draw();
  }

  function setEvaluations(values) {
    evaluations = values;
    draw();
  }

  // What is said of the game, beside the table: elements, and functions that return the element for
  // a turn and for who sees it. Without content the panel is closed.
  function openPanel(...content) {
    parts = [];
    at("analysis").replaceChildren(...content.map((each) => {
      if (typeof each !== "function") return each;
      parts.push({ draw: each, made: each(Stepper.shown, viewer) });
      return parts.at(-1).made;
    }));
    at("analysis").hidden = !content.length;
    document.body.classList.toggle("with-analysis", content.length > 0);
  }

  function start(data) {
    ({ tables, evaluations } = data);
    names = data.names;
    Object.assign(view, { deck: data.deck, names, person: data.seat ?? null });
    at("viewer").append(...names.map((name, player) => new Option(`View: ${name}`, player)));
    at("viewer").addEventListener("change", ({ target: { value } }) => (
      setViewer(value === ALL || value === PUBLIC ? value : Number(value))));
    document.addEventListener("keydown", (event) => {
      if (event.key === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) setViewer(viewer === ALL ? PUBLIC : ALL);
    });
    Stepper.start(tables.length - 1, show);
    draw();
  }

  return {
    start,
    append,
    graph,
    setViewer,
    setEvaluations,
    openPanel,
    get names() { return names; },
    get tables() { return tables; },
    get deck() { return view.deck; },
  };
})();

// Sections, changes of chances and small cards beside the table of a replay.
const Figures = (() => {
  const change = (share) => Texts.number(share, {
    style: "percent", maximumFractionDigits: Math.abs(share) < 0.095 ? 1 : 0, signDisplay: "exceptZero",
  });

  const section = (id, title, ...content) => element("section", { id }, element("h2", "", title), ...content);

  const note = (text) => element("p", "note", text);

  const table = (heads, rows) => Tables.table("figures", heads, rows);

  const smallCard = (number) => Cards.card(Replay.deck, number, false);

  return { change, section, note, table, smallCard };
})();
