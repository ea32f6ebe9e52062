"use strict";

// The probability that each card of the player whose view is shown takes each prize of the row, from
// what that player can know.
const Forecast = (() => {
  const { section, smallCard } = Figures;
  const turns = new Map(); // what the server answered, by turn
  let wanted = ""; // the turn and the seat that are shown, if the answer is late

  function cell(share) {
    const made = element("span", "share", Texts.percent(share));
    made.style.setProperty("--share", share);
    return made;
  }

  function tableOf(cards, row) {
    const rows = Object.entries(cards)
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([card, shares]) => Tables.row(smallCard(Number(card)), shares.map(cell)));
    const heads = [Texts.get("forecast.plays"), ...row.map(({ prize }) => smallCard(prize))];
    return Tables.table("figures", heads, rows);
  }

  function show(...content) {
    at("forecast").replaceWith(section("forecast", Texts.get("forecast.title"), ...content));
  }

  const note = (key, values) => element("p", "note", Texts.get(key, values));

  // `seed` is that of the game, if it has one; `viewer` is the seat whose view is shown, if it is one.
  async function draw(seed, turn, viewer, onError) {
    wanted = `${turn} ${viewer}`;
    const asked = wanted;
    const { over, row } = Replay.tables[turn];
    if (typeof viewer !== "number" || over) {
      show(note(over ? "review.no_choice" : "forecast.choose_view"));
      return;
    }
    if (!turns.has(turn)) {
      show(note("forecast.working"));
      turns.set(turn, Server.get(`forecast?seed=${seed ?? ""}&turn=${turn}`));
    }
    try {
      const seats = await turns.get(turn);
      if (wanted === asked) show(tableOf(seats[viewer], row), note("forecast.note", { name: Replay.names[viewer] }));
    } catch (error) {
      turns.delete(turn);
      onError(error);
    }
  }

  return { draw };
})();

// A game that bots play now, or a recorded one, from the server: the tables arrive turn by turn, and
// beside them stands what each bot made of its cards.
(async () => {
  const PAUSE = 300; // milliseconds between requests
  const details = []; // by turn and player
  let evaluations = [];
  let thinking = null;
  let seed = null; // of the game that is shown

  const unit = (value, name, digits = 0) => Texts.number(value, { style: "unit", unit: name, maximumFractionDigits: digits });
  const duration = (seconds) => (
    seconds < 1 ? unit(1000 * seconds, "millisecond") : unit(seconds, "second", seconds < 10 ? 1 : 0));

  const bars = (classes, title, rows) => [
    element("p", "bars-title", title),
    element("div", `bars ${classes}`, ...rows.flatMap(({ name, label, share, value }) => [
      name, element("meter", { value: share, "aria-label": label }), element("span", "value", value),
    ])),
  ];

  // The values of the cards, highest first; bars between the lowest and the highest one.
  function cardBars(each) {
    const entries = Object.entries(each.values).sort(([, one], [, other]) => other - one);
    const [highest, lowest] = [entries[0][1], Math.min(0, entries.at(-1)[1])];
    return bars("card-bars", Cards.unitText(each.unit), entries.map(([card, value]) => ({
      name: Cards.card(Replay.deck, Number(card), false),
      label: Cards.name(Replay.deck, Number(card)),
      share: highest > lowest ? (value - lowest) / (highest - lowest) : 0,
      value: Cards.formatValue(each.unit, value),
    })));
  }

  const featureBars = (features) => bars("feature-bars", Texts.get("watch.features"), features.map(({ name, moved }) => ({
    name: element("span", "value-name", name), label: name, share: moved, value: Texts.percent(moved),
  })));

  function bot(turn, seat) {
    const detail = details[turn]?.[seat];
    const isThinking = thinking?.seat === seat && turn === Stepper.last;
    const time = element("small", "", detail ? duration(detail.seconds) : "");
    const header = element("header", "", element("h3", "", Replay.names[seat]), time);
    const made = element("section", isThinking ? "bot thinking" : "bot", header);
    const evaluation = evaluations[turn]?.[seat];
    if (evaluation) made.append(...cardBars(evaluation));
    else if (detail) made.append(element("small", "", Texts.get("watch.no_values")));
    if (detail?.features.length) made.append(...featureBars(detail.features));
    return made;
  }

  // Whose turn is shown: that of the seat whose view is shown, or of all.
  function drawBots(turn, viewer) {
    const seats = Replay.names.map((_, seat) => seat).filter((seat) => typeof viewer !== "number" || seat === viewer);
    at("bots-panel").replaceChildren(...(Replay.tables[turn].over ? [] : seats.map((seat) => bot(turn, seat))));
    Forecast.draw(seed, turn, viewer, (error) => (error.status === 409 ? restart() : Server.showError(error)));
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

  async function deal() {
    try {
      await Server.post("deal", { seed });
      restart();
    } catch (error) {
      Server.showError(error);
    }
  }

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
    element("section", { id: "forecast" }),
    element("h2", "", Texts.get("watch.bots")),
    element("div", { id: "bots-panel" }),
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
      Replay.append(more.tables, more.evaluations ?? [], !more.tables.at(-1)?.over && failed === null);
      showStatus(more);
    }
  }

  try {
    const data = await Server.get("table?first=0");
    details.push(...data.details);
    ({ evaluations, thinking, seed } = data);
    openPanel();
    Replay.onShow = drawBots;
    Replay.start(data);
    Stepper.setLast(Replay.tables.length - 1, !isOver() && data.failed === null);
    showStatus(data);
    if (!location.hash) Stepper.play();
    await follow();
  } catch (error) {
    Server.showError(error);
  }
})();
