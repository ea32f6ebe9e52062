// The review of a game beside its table: the most expensive mistakes, why the best card of the turn
// that is shown is better, the chances of all players, and what the deal was worth.
const Review = (() => {
  const { percent } = Texts;
  const { change, section, note, smallCard, table } = Figures;
  const MOST_MISTAKES = 5;
  const SMALL = 0.05; // of a mistake that costs less
  const ALL_PLAYERS = "all";
  let review = null;
  let choices = []; // those of the review, by the index of their table
  let again = null; // how to try again: {seat}, and {command} of a record or {start} on the server
  let first = 0; // turns played before the record begins

  const name = (seat) => Replay.names[seat];
  const choicesAt = (index) => choices.filter((each) => each.index === index);

  // The chances of all players

  function chancesSection() {
    const series = Replay.names.map(() => Replay.tables.map(() => null));
    for (const { index, seat, win_probability: chance } of choices) series[seat][index] = chance;
    review.win_shares?.forEach((share, seat) => { series[seat][Replay.tables.length - 1] = share; });
    const graph = Replay.graph(series, {
      format: (share) => percent(share),
      label: Texts.get("review.graph"),
      axis: Texts.get("review.graph_axis"),
      range: [0, 1],
      height: 260,
      labelHeight: 23,
      dots: choices.filter(({ mistake }) => mistake).map(({ seat, index }) => ({ player: seat, turn: index })),
    });
    return section("chances", Texts.get("review.chances"), element("div", { id: "chances-graph" }, graph));
  }

  // The choices of the turn

  // Only of a mistake: other differences may be chance.
  const grade = ({ cost }) => Texts.get(cost < SMALL ? "review.small_mistake" : "review.mistake");

  function choiceRow({ seat, played, best, win_probability: chance, cost, margin, mistake }) {
    const costText = element("span", "", mistake ? change(-cost) : "\u2013");
    if (mistake) costText.title = Texts.get("review.margin", { margin: percent(margin, 1) });
    return Tables.row(name(seat), [percent(chance), smallCard(played), smallCard(best), costText], mistake ? "mistake" : "");
  }

  // What the better card of the viewer's mistake would have taken, as the others played, and why that
  // is better. In the last turn of a round, the other card goes into the tableau.
  function whySection(index, viewer) {
    const choice = choicesAt(index).find(({ seat, mistake }) => seat === viewer && mistake);
    if (!choice) return element("section", { id: "why" });
    const { played, best } = choice;
    const others = Replay.tables[index + 1].last_turn.plays.filter(({ player }) => player !== viewer);
    const [taken, better] = [played, best].map((card) => (
      Replay.tables[index].row[others.filter((play) => play.card < card).length].prize));
    const [less, more] = [taken, better].map((prize) => pointsOf(prize, Replay.tables[index], viewer));
    const key = taken === better ? "review.why_same" : more > less ? "review.why_more" : "review.why_later";
    const { turn, num_turns: turns } = Replay.tables[index];
    const until = Texts.get(turn === turns ? "review.until_last" : "review.until_later");
    const values = { played, best, better, taken, until, more: Cards.signed(more), less: Cards.signed(less) };
    const costs = Texts.get("review.why_cost", { cost: percent(choice.cost, 1) });
    return element("section", { id: "why" }, element("p", "", element("b", "", `${grade(choice)}: `), `${Texts.get(key, values)} ${costs}`));
  }

  // What a prize brings in the column of its colour, or in the next empty one.
  function pointsOf(prize, { players, score_cards: values }, viewer) {
    const { colour, points } = Replay.deck[prize - 1];
    const column = players[viewer].tableau.findIndex(([first]) => !first || Replay.deck[first - 1].colour === colour);
    return values[column] + points;
  }

  function turnSection(index) {
    const rows = choicesAt(index).map(choiceRow);
    const heads = ["review.player", "review.chance", "review.played", "review.best", "review.cost"];
    const content = rows.length ? [table(heads, rows), note("review.chance_note")] : [note("review.no_choice")];
    return section("this-turn", Texts.get("review.this_turn"), ...content);
  }

  // The most expensive mistakes

  function showChoice({ index, seat }) {
    Stepper.step(index);
    Replay.setViewer(seat);
  }

  function mistakeItem(choice) {
    const { index, seat, played, best, cost } = choice;
    const { round, turn } = Replay.tables[index];
    const made = button(element("b", "", change(-cost)), () => showChoice(choice), { class: "jump", title: grade(choice) });
    made.append(
      element("span", "", Texts.get("review.instead", { played, best })),
      element("small", "", Texts.get("review.where", { round, turn, name: name(seat) })),
    );
    return element("li", "", made);
  }

  function mistakesSection() {
    const players = Replay.names.map((each, seat) => new Option(each, seat));
    const all = new Option(Texts.get("review.all_players"), ALL_PLAYERS);
    const select = element("select", { id: "whose", "aria-label": Texts.get("review.whose") }, all, ...players);
    const list = element("ol", { id: "mistakes-list" });
    const next = button(Texts.get("review.next_mistake"), () => showChoice(after(Stepper.shown)), { id: "next-mistake" });
    const found = () => choices.filter(({ mistake, seat }) => mistake && [ALL_PLAYERS, String(seat)].includes(select.value));
    const after = (index) => found().find((each) => each.index > index) ?? found()[0];
    const worst = () => found().sort((one, other) => other.cost - one.cost).slice(0, MOST_MISTAKES);
    function drawList() {
      list.replaceChildren(...worst().map(mistakeItem));
      next.disabled = !worst().length;
      if (next.disabled) list.append(element("li", "note", Texts.get("review.no_mistakes")));
    }
    if (again.start) select.value = again.seat;
    select.addEventListener("change", drawList);
    drawList();
    return section("mistakes", Texts.get("review.mistakes"), select, next, list, note("review.mistakes_note"));
  }

  // Trying again

  function againSection(index, viewer) {
    const { over } = Replay.tables[index];
    const made = section("again", Texts.get("review.again"), note(over ? "review.again_over" : "review.again_note"));
    if (over) return made;
    const seat = typeof viewer === "number" ? viewer : again.seat;
    if (again.command) made.append(element("code", "", `${again.command} --turn ${index + first} --seat ${seat}`));
    if (again.start) made.append(button(Texts.get("review.again_button"), () => again.start(index + first)));
    return made;
  }

  // Luck and skill: what the deal was worth, and the mistakes

  function luckSection() {
    const { deal } = review;
    const heads = ["review.player", "review.deal", "review.mistake_count", "review.small_count"];
    const rows = Replay.names.map((each, player) => {
      const own = choices.filter(({ seat, mistake }) => mistake && seat === player);
      const small = own.filter(({ cost }) => cost < SMALL).length;
      return Tables.row(each, [percent(deal.win_shares[player]), own.length - small, small]);
    });
    const values = { equal: percent(1 / Replay.names.length, 1), games: deal.num_games, margin: percent(Math.max(...deal.margins)) };
    return section("luck", Texts.get("review.luck"), table(heads, rows), note("review.luck_note", values));
  }

  // Shows the progress, from 0 to 1, and what is being done, until the review is there.
  const showProgress = (value, text) => Replay.openPanel(section(
    "reviewing",
    Texts.get("review.title"),
    element("progress", { id: "review-progress", value, "aria-label": Texts.get("review.working") }),
    element("p", { id: "review-status", class: "note" }, text),
  ));

  function start(data) {
    ({ review, again } = data);
    first = Replay.tables[0].turns_played;
    choices = review.choices.map((each) => ({ ...each, index: each.turn - first }));
    Replay.openPanel(mistakesSection(), whySection, chancesSection, turnSection, againSection, luckSection());
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
      return seats;
    }));
    if (again.start) Replay.setViewer(again.seat);
    if (!location.hash) at("mistakes-list").querySelector("button")?.click();
  }

  return { start, showProgress };
})();
