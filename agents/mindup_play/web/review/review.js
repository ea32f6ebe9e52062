"use strict";

// The review of a game beside its table: the chances of all players, the most expensive mistakes, and
// how much of the result came from the deal. reviewed_turn.js has what changes from turn to turn.
const Review = (() => {
  const { percent } = Texts;
  const { change, section, table } = Figures;
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
    const made = button(element("b", "", change(-cost)), () => {
      Stepper.step(turn - first);
      Replay.setViewer(seat);
    }, { class: "jump" });
    made.append(
      element("span", "", Texts.get("review.instead", { played, best })),
      element("small", "", Texts.get("review.where", { round, turn: ofRound, name: Replay.names[seat] })),
    );
    return element("li", "", made);
  }

  function drawMistakes() {
    const found = mistakes(at("whose").value).map(mistakeItem);
    at("mistakes-list").replaceChildren(...(found.length ? found : [element("li", "note", Texts.get("review.no_mistakes"))]));
  }

  function mistakesSection() {
    const players = Replay.names.map((each, seat) => new Option(each, seat));
    const select = element(
      "select",
      { id: "whose", "aria-label": Texts.get("review.whose") },
      new Option(Texts.get("review.all_players"), ALL_PLAYERS),
      ...players,
    );
    if (again.start) select.value = again.seat;
    select.addEventListener("change", drawMistakes);
    const note = element("p", "note", Texts.get("review.mistakes_note"));
    return section("mistakes", Texts.get("review.mistakes"), select, element("ol", { id: "mistakes-list" }), note);
  }

  // Luck and skill

  function luckSection() {
    const { deal, costs, win_shares: shares } = review;
    const equal = 1 / Replay.names.length;
    const heads = ["review.player", "review.deal", "review.choices", "review.rest", "review.result"];
    const rows = Replay.names.map((each, seat) => {
      const rest = shares && shares[seat] - deal.win_shares[seat] + costs[seat];
      return Tables.row(each, [
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
    const [turn, ...ofTurn] = ReviewedTurn.start(review, again, first);
    Replay.openPanel(
      section("chances", Texts.get("review.chances"), element("div", { id: "chances-graph" })),
      turn,
      mistakesSection(),
      ...ofTurn,
      luckSection(),
    );
    drawGraph();
    drawMistakes();
    Replay.onShow = draw;
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of ReviewedTurn.choicesAt(index)) seats[seat] = { unit: review.unit, values };
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
