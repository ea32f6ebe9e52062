// The review of a game beside its table: the chances of all players, what it says of the turn that is
// shown, the most expensive mistakes, and how much of the result came from the deal.
const Review = (() => {
  const { percent } = Texts;
  const { change, section, note, smallCard, table } = Figures;
  const MOST_MISTAKES = 5;
  const ALL_PLAYERS = "all";
  let review = null;
  let choices = []; // those of the review, by the index of their table
  let again = null; // how to try again: {command} in a file, {start} on the server
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

  function choiceRow({ seat, played, best, win_probability: chance, cost, margin, mistake }) {
    // The estimate of a card that is as good as the best one may be on either side of 0.
    const costText = element("span", "", cost > 0 ? change(-cost) : "\u2013");
    if (played !== best) costText.title = Texts.get("review.margin", { margin: percent(margin, 1) });
    return Tables.row(name(seat), [percent(chance), smallCard(played), smallCard(best), costText], mistake ? "mistake" : "");
  }

  function turnSection(index) {
    const rows = choicesAt(index).map(choiceRow);
    const heads = ["review.player", "review.chance", "review.played", "review.best", "review.cost"];
    return section("this-turn", Texts.get("review.this_turn"), rows.length ? table(heads, rows) : note("review.no_choice"));
  }

  // The most expensive mistakes

  function mistakeItem({ index, seat, played, best, cost }) {
    const { round, turn } = Replay.tables[index];
    const made = button(element("b", "", change(-cost)), () => {
      Stepper.step(index);
      Replay.setViewer(seat);
    }, { class: "jump" });
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
    function drawList() {
      const found = choices.filter(({ mistake, seat }) => mistake && [ALL_PLAYERS, String(seat)].includes(select.value));
      const worst = found.sort((one, other) => other.cost - one.cost).slice(0, MOST_MISTAKES);
      list.replaceChildren(...worst.map(mistakeItem));
      if (!worst.length) list.append(element("li", "note", Texts.get("review.no_mistakes")));
    }
    if (again.start) select.value = again.seat;
    select.addEventListener("change", drawList);
    drawList();
    return section("mistakes", Texts.get("review.mistakes"), select, list, note("review.mistakes_note"));
  }

  // What a player could know of the others

  function unseenCards(index, seat) {
    const { players, row } = Replay.tables[index];
    const seen = new Set([...row.map(({ prize }) => prize), ...players[seat].hidden]);
    for (const { tableau, known } of players) [...tableau.flat(), ...known].forEach((card) => seen.add(card));
    return Replay.deck.map((_, card) => card + 1).filter((card) => !seen.has(card));
  }

  function othersSection(index, viewer) {
    const choice = choicesAt(index).find(({ seat }) => seat === viewer);
    if (!choice) return section("others", Texts.get("review.others"), note("review.others_hint"));
    const rows = Object.entries(choice.expected).map(([seat, cards]) => {
      const likely = Object.entries(cards).sort(([, one], [, other]) => other - one);
      const chips = likely.map(([card, share]) => (
        element("span", "chip", smallCard(Number(card)), element("small", "", percent(share)))));
      return Tables.row(name(seat), [element("span", "chips", ...chips)]);
    });
    const unseen = unseenCards(index, viewer);
    const summary = element("summary", "", Texts.get("review.unseen", { count: unseen.length }));
    const details = element("details", "", summary, element("span", "chips", ...unseen.map(smallCard)));
    const title = Texts.get("review.expected", { name: name(viewer) });
    return section("others", title, table(["review.player", "review.may_play"], rows), details);
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

  // Luck and skill

  function luckSection() {
    const { deal, costs, win_shares: shares } = review;
    const equal = 1 / Replay.names.length;
    const heads = ["review.player", "review.deal", "review.choices", "review.rest", "review.result"];
    const rows = Replay.names.map((each, seat) => {
      const dealt = deal.win_shares[seat];
      const rest = shares ? [change(shares[seat] - dealt + costs[seat]), percent(shares[seat])] : ["\u2013", "\u2013"];
      return Tables.row(each, [change(dealt - equal), change(-costs[seat]), ...rest]);
    });
    const values = { equal: percent(equal, 1), games: deal.num_games, margin: percent(Math.max(...deal.margins)) };
    return section("luck", Texts.get("review.luck"), table(heads, rows), note("review.luck_note", values));
  }

  // Shows the progress, from 0 to 1, and what is being done, until the review is there.
  function showProgress(part, text) {
    if (!at("review-progress")) {
      const bar = element("progress", { id: "review-progress", "aria-label": Texts.get("review.working") });
      const status = element("p", { id: "review-status", class: "note" });
      Replay.openPanel(section("reviewing", Texts.get("review.title"), bar, status));
    }
    at("review-progress").value = part;
    at("review-status").textContent = text;
  }

  function start(data) {
    ({ review, again } = data);
    first = Replay.tables[0].turns_played;
    choices = review.choices.map((each) => ({ ...each, index: each.turn - first }));
    Replay.openPanel(chancesSection, turnSection, mistakesSection(), othersSection, againSection, luckSection());
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
      return seats;
    }));
  }

  return { start, showProgress };
})();

// The page of a file has its data in itself.
if (at("data")) {
  const data = JSON.parse(at("data").textContent);
  Replay.start(data);
  if (data.review) Review.start(data);
}
