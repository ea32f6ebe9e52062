"use strict";

// The table of a recorded game, or of one that bots play now: its state after each turn.
const Replay = (() => {
  const at = (id) => document.getElementById(id);
  const [ALL, PUBLIC] = ["all", "public"];
  const view = { showKnown: true, showHidden: true, person: null, seat: null, played: null };
  let tables = [];
  let evaluations = null; // by turn and player
  let names = [];
  let viewer = ALL; // or PUBLIC, or the seat whose view is shown
  let moveCursor = () => {};
  let listener = () => {};

  function progressText(table) {
    const progress = TableView.progress(table);
    if (!table.over) return Texts.get("replay.progress", { progress, played: table.turns_played });
    return Texts.get("replay.over", { won: TableView.result(table, view) });
  }

  const isOpen = (player) => viewer === ALL || viewer === player;

  // The table without the cards that the viewer does not know.
  function seenTable(table) {
    const players = table.players.map((player, seat) => (
      isOpen(seat) ? player : { ...player, hidden: player.hidden.map(() => null) }));
    return { ...table, players };
  }

  const bestCard = (values) => {
    const best = Math.max(...Object.values(values));
    return Number(Object.keys(values).find((card) => values[card] === best));
  };

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
    moveCursor(Stepper.shown);
    const rounds = table.round_scores.length;
    at("score-tables").replaceChildren(...(rounds
      ? [Scores.ofRound(table, view, rounds), Scores.byRounds(table, view)] : []));
    listener(Stepper.shown, viewer);
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

  const endsOfRounds = () => tables.flatMap(({ last_turn: turn }, index) => (turn?.scored_tableaux ? [index] : []));

  function drawGraph() {
    const scores = names.map((_, player) => tables.map(({ players }) => players[player].total));
    moveCursor = Graph.draw(at("graph"), scores, {
      last: tables.length - 1,
      names,
      rounds: endsOfRounds(),
      format: String,
      label: Texts.get("replay.graph"),
      axis: Texts.get("replay.graph_axis"),
    }, Stepper.step);
  }

  // More turns of a game that is being played, and the evaluations of the turn before each.
  function append(more, moreEvaluations, moreToCome) {
    tables.push(...more);
    evaluations?.push(...moreEvaluations);
    Stepper.setLast(tables.length - 1, moreToCome);
    if (!more.length) return;
    drawGraph();
    draw();
  }

  function setEvaluations(values) {
    evaluations = values;
    draw();
  }

  function start(data) {
    ({ tables, evaluations } = data);
    names = data.names ?? tables[0].players.map((_, number) => Texts.get("table.player", { number }));
    Object.assign(view, { deck: data.deck, names, person: data.seat ?? null });
    const options = [[ALL, Texts.get("replay.all_hands")], [PUBLIC, Texts.get("replay.known_hands")],
      ...names.map((name, player) => [player, Texts.get("replay.as_seen_by", { name })])];
    at("viewer").replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    at("viewer").addEventListener("change", () => {
      const { value } = at("viewer");
      setViewer(value === ALL || value === PUBLIC ? value : Number(value));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) setViewer(viewer === ALL ? PUBLIC : ALL);
    });
    Stepper.start(tables.length - 1, show);
    drawGraph();
    draw();
  }

  return {
    start,
    append,
    setViewer,
    setEvaluations,
    endsOfRounds,
    set onShow(handler) { listener = handler; },
    get names() { return names; },
    get tables() { return tables; },
    get deck() { return view.deck; },
  };
})();
