"use strict";

// The review of a game beside its table: the chances of all players, the most expensive mistakes, and
// how much of the result came from the deal. reviewed_turn.js has what changes from turn to turn.
const Review = (() => {
  const { element } = Cards;
  const { percent, change, section, table, tableRow } = Figures;
  const at = (id) => document.getElementById(id);
  const MOST_MISTAKES = 5;
  const ALL_PLAYERS = "all";
  let review = null;
  let again = null; // how to try again: {command} in a file, {start} on the server
  let moveCursor = () => {};
  let first = 0; // turns played before the record begins

  // The chances of all players

  function drawGraph() {
    const { tables, names } = Replay;
    const series = names.map(() => tables.map(() => null));
    for (const { turn, seat, win_probability: chance } of review.choices) series[seat][turn - first] = chance;
    review.win_shares?.forEach((share, seat) => { series[seat][tables.length - 1] = share; });
    const dots = review.choices.filter(({ mistake }) => mistake)
      .map(({ seat, turn }) => ({ player: seat, turn: turn - first }));
    moveCursor = Graph.draw(at("chances-graph"), series, {
      last: tables.length - 1,
      names,
      rounds: Replay.endsOfRounds(),
      format: (share) => percent(share),
      label: Texts.get("review.graph"),
      axis: Texts.get("review.graph_axis"),
      range: [0, 1],
      height: 260,
      labelHeight: 23,
      dots,
    }, Stepper.step);
  }

  // The most expensive mistakes

  function mistakes(who) {
    return review.choices
      .filter(({ mistake, seat }) => mistake && (who === ALL_PLAYERS || seat === Number(who)))
      .sort((one, other) => other.cost - one.cost)
      .slice(0, MOST_MISTAKES);
  }

  function mistakeItem({ turn, seat, played, best, cost }) {
    const { round, turn: ofRound } = Replay.tables[turn - first];
    const item = element("li");
    const button = element("button", "jump");
    button.type = "button";
    button.append(
      element("b", "", change(-cost)),
      element("span", "", Texts.get("review.instead", { played, best })),
      element("small", "", Texts.get("review.where", { round, turn: ofRound, name: Replay.names[seat] })),
    );
    button.addEventListener("click", () => {
      Stepper.step(turn - first);
      Replay.setViewer(seat);
    });
    item.append(button);
    return item;
  }

  function drawMistakes() {
    const found = mistakes(at("whose").value).map(mistakeItem);
    at("mistakes-list").replaceChildren(...(found.length ? found : [element("li", "note", Texts.get("review.no_mistakes"))]));
  }

  function mistakesSection() {
    const select = element("select");
    select.id = "whose";
    select.setAttribute("aria-label", Texts.get("review.whose"));
    select.append(new Option(Texts.get("review.all_players"), ALL_PLAYERS), ...Replay.names.map((each, seat) => new Option(each, seat)));
    if (again.start) select.value = again.seat;
    select.addEventListener("change", drawMistakes);
    const list = element("ol");
    list.id = "mistakes-list";
    const made = section("mistakes", Texts.get("review.mistakes"), select, list);
    made.append(element("p", "note", Texts.get("review.mistakes_note")));
    return made;
  }

  // Luck and skill

  function luckSection() {
    const { deal, costs, win_shares: shares } = review;
    const equal = 1 / Replay.names.length;
    const heads = ["review.player", "review.deal", "review.choices", "review.rest", "review.result"];
    const rows = Replay.names.map((each, seat) => {
      const rest = shares && shares[seat] - deal.win_shares[seat] + costs[seat];
      return tableRow(each, [
        change(deal.win_shares[seat] - equal),
        change(-costs[seat]),
        shares ? change(rest) : "\u2013",
        shares ? percent(shares[seat]) : "\u2013",
      ]);
    });
    const margin = percent(Math.max(...deal.margins));
    return section(
      "luck",
      Texts.get("review.luck"),
      table(heads, rows),
      element("p", "note", Texts.get("review.luck_note", { equal: percent(equal, 1), games: deal.num_games, margin })),
    );
  }

  function draw(index, viewer) {
    moveCursor(index);
    ReviewedTurn.draw(index, viewer);
  }

  function openPanel(...content) {
    at("analysis").replaceChildren(...content);
    at("analysis").hidden = false;
    document.body.classList.add("with-analysis");
  }

  // Shows the progress, from 0 to 1, and what is being done, until the review is there.
  function showProgress(part, text) {
    if (!at("review-progress")) {
      const bar = element("progress");
      bar.id = "review-progress";
      bar.setAttribute("aria-label", Texts.get("review.working"));
      const status = element("p", "note");
      status.id = "review-status";
      openPanel(section("reviewing", Texts.get("review.title"), bar, status));
    }
    at("review-progress").value = part;
    at("review-status").textContent = text;
  }

  function hide() {
    at("analysis").hidden = true;
    document.body.classList.remove("with-analysis");
  }

  function start(data) {
    ({ review, again } = data);
    first = Replay.tables[0].turns_played;
    const graph = element("div");
    graph.id = "chances-graph";
    openPanel(
      section("chances", Texts.get("review.chances"), graph),
      ...ReviewedTurn.start(review, again, first),
    );
    at("this-turn").after(mistakesSection());
    at("analysis").append(luckSection());
    drawGraph();
    drawMistakes();
    Replay.onShow = draw;
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of ReviewedTurn.choicesAt(index)) seats[seat] = { unit: review.unit, values };
      return seats;
    }));
  }

  return { start, showProgress, hide };
})();
