// A game that bots play now, or a recorded one, from the server: the tables arrive turn by turn, and
// beside them stands what each bot made of its cards.
(async () => {
  const PAUSE = 300; // milliseconds between requests
  const { section, note, smallCard } = Figures;
  const details = []; // by turn and player
  const forecasts = new Map(); // what the server answered, by turn
  let evaluations = [];
  let thinking = null;
  let seed = null; // of the game that is shown

  // The probability that each card of the player whose view is shown takes each prize of the row, from
  // what that player can know

  function share(value) {
    const made = element("span", "share", Texts.percent(value));
    made.style.setProperty("--share", value);
    return made;
  }

  function forecastTable(cards, row) {
    const rows = Object.entries(cards)
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([card, shares]) => Tables.row(smallCard(Number(card)), shares.map(share)));
    const heads = [Texts.get("forecast.plays"), ...row.map(({ prize }) => smallCard(prize))];
    return Tables.table("figures", heads, rows);
  }

  function forecastSection(turn, viewer) {
    const show = (...content) => section("forecast", Texts.get("forecast.title"), ...content);
    const { over, row } = Replay.tables[turn];
    if (typeof viewer !== "number" || over) return show(note(over ? "review.no_choice" : "forecast.choose_view"));
    if (!forecasts.has(turn)) forecasts.set(turn, Server.get(`forecast?seed=${seed ?? ""}&turn=${turn}`));
    const made = show(note("forecast.working"));
    forecasts.get(turn).then((seats) => {
      made.lastChild.replaceWith(
        forecastTable(seats[viewer].prizes, row), note("forecast.note", { name: Replay.names[viewer] }));
    }, (error) => {
      forecasts.delete(turn);
      if (error.status === 409) restart();
      else Server.showError(error);
    });
    return made;
  }

  // The bots: their time, and what they look at; their values of the cards are at the hands

  const unit = (value, name, digits = 0) => Texts.number(value, { style: "unit", unit: name, maximumFractionDigits: digits });
  const duration = (seconds) => (
    seconds < 1 ? unit(1000 * seconds, "millisecond") : unit(seconds, "second", seconds < 10 ? 1 : 0));

  const featureBars = (features) => [
    element("p", "bars-title", Texts.get("watch.features")),
    element("div", "bars", ...features.flatMap(({ name, moved }) => [
      element("span", "value-name", name),
      element("meter", { value: moved, "aria-label": name }),
      element("span", "value", Texts.percent(moved)),
    ])),
  ];

  function bot(turn, seat) {
    const detail = details[turn]?.[seat];
    const time = element("small", "", detail ? duration(detail.seconds) : "");
    const header = element("header", "", element("h3", "", Replay.names[seat]), time);
    const made = element("section", "bot", header);
    if (detail && !evaluations[turn]?.[seat]) made.append(element("small", "", Texts.get("watch.no_values")));
    if (detail?.features.length) made.append(...featureBars(detail.features));
    return made;
  }

  // Whose turn is shown: that of the seat whose view is shown, or of all.
  function botsPanel(turn, viewer) {
    const seats = Replay.names.map((_, seat) => seat).filter((seat) => typeof viewer !== "number" || seat === viewer);
    const shown = Replay.tables[turn].over ? [] : seats;
    return element("div", { id: "bots-panel" }, ...shown.map((seat) => bot(turn, seat)));
  }

  function showStatus({ num_turns: turns, failed }) {
    at("watch-progress").max = turns;
    at("watch-progress").value = Stepper.last;
    const text = thinking
      ? Texts.get("watch.thinking", { name: Replay.names[thinking.seat], time: duration(thinking.seconds), turn: Stepper.last + 1, turns })
      : Texts.get("watch.played", { turn: Stepper.last, turns });
    at("watch-status").textContent = failed ? Texts.get("watch.failed", { name: failed }) : text;
  }

  // Another game is another page: nothing of this one may stay.
  function restart() {
    history.replaceState(null, "", location.pathname);
    location.reload();
  }

  const deal = () => Server.attempt(async () => {
    await Server.post("deal", { seed });
    restart();
  });

  // The seed and the button; a recorded game has neither.
  function nextGame() {
    if (seed === null) return element("div", "next-game");
    const next = button(Texts.get("watch.new_game"), deal, { id: "new-game", title: Texts.get("watch.new_game_title") });
    return element("div", "next-game", element("span", "note", Texts.get("watch.seed", { seed })), next);
  }

  const openPanel = () => Replay.openPanel(
    nextGame(),
    element("p", { id: "watch-status" }),
    element("progress", { id: "watch-progress", "aria-label": Texts.get("watch.progress") }),
    forecastSection,
    element("h2", "", Texts.get("watch.bots")),
    botsPanel,
  );

  const isOver = () => Replay.tables.at(-1).over;

  async function follow() {
    let failed = null;
    while (!isOver() && failed === null) {
      await Server.pause(PAUSE);
      const more = await Server.get(`table?first=${Replay.tables.length}`);
      if (more.seed !== seed) { // dealt in another tab
        restart();
        return;
      }
      ({ thinking, failed } = more);
      details.push(...more.details);
      Replay.append(more.tables, more.evaluations, !more.tables.at(-1)?.over && failed === null);
      showStatus(more);
    }
  }

  await Server.attempt(async () => {
    const data = await Server.get("table?first=0");
    details.push(...data.details);
    ({ evaluations, thinking, seed } = data);
    Replay.start(data);
    openPanel();
    Stepper.setLast(Replay.tables.length - 1, !isOver() && data.failed === null);
    showStatus(data);
    if (!location.hash) Stepper.play();
    await follow();
  });
})();
