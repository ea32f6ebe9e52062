"use strict";

// The review of a game beside its table: the chances of all players, what their choices cost, and how
// much of the result came from the deal.
const Review = (() => {
  const { element } = Cards;
  const { percent, change, section, table, tableRow, smallCard, chip } = Figures;
  const at = (id) => document.getElementById(id);
  const MOST_MISTAKES = 5;
  const ALL_PLAYERS = "all";
  let review = null;
  let again = null; // how to try again: {command} in a file, {start} on the server
  let moveCursor = () => {};
  let first = 0; // turns played before the record begins

  const choicesAt = (index) => review.choices.filter(({ turn }) => turn - first === index);
  const name = (seat) => Replay.names[seat];

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

  // This turn

  function choiceRow({ seat, played, best, win_probability: chance, cost, margin, mistake }) {
    // The estimate of a card that is as good as the best one may be on either side of 0.
    const costText = element("span", "", cost > 0 ? change(-cost) : "\u2013");
    if (played !== best) costText.title = Texts.get("review.margin", { margin: percent(margin, 1) });
    return tableRow(name(seat), [percent(chance), smallCard(played), smallCard(best), costText], mistake ? "mistake" : "");
  }

  function turnSection(index) {
    const choices = choicesAt(index);
    const title = Texts.get("review.this_turn");
    if (!choices.length) return section("this-turn", title, element("p", "note", Texts.get("review.no_choice")));
    const heads = ["review.player", "review.chance", "review.played", "review.best", "review.cost"];
    return section("this-turn", title, table(heads, choices.map(choiceRow)));
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
      element("small", "", Texts.get("review.where", { round, turn: ofRound, name: name(seat) })),
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

  // What a player could know of the others

  function unseenCards(index, seat) {
    const { players, row } = Replay.tables[index];
    const seen = new Set([...row.map(({ prize }) => prize), ...players[seat].hidden]);
    for (const { tableau, known } of players) [...tableau.flat(), ...known].forEach((card) => seen.add(card));
    return Replay.deck.map((_, card) => card + 1).filter((card) => !seen.has(card));
  }

  function othersSection(index, viewer) {
    const choice = choicesAt(index).find(({ seat }) => seat === viewer);
    if (!choice) return section("others", Texts.get("review.others"), element("p", "note", Texts.get("review.others_hint")));
    const rows = Object.entries(choice.expected).map(([seat, cards]) => {
      const chips = element("span", "chips");
      const likely = Object.entries(cards).sort(([, one], [, other]) => other - one);
      chips.append(...likely.map(([card, share]) => chip(card, percent(share))));
      return tableRow(name(seat), [chips]);
    });
    const unseen = unseenCards(index, viewer);
    const details = element("details");
    const cards = element("span", "chips");
    cards.append(...unseen.map(smallCard));
    details.append(element("summary", "", Texts.get("review.unseen", { count: unseen.length })), cards);
    return section(
      "others",
      Texts.get("review.expected", { name: name(viewer) }),
      table(["review.player", "review.may_play"], rows),
      details,
    );
  }

  // Trying again

  function againSection(index, viewer) {
    const over = Replay.tables[index].over;
    const made = section("again", Texts.get("review.again"));
    made.append(element("p", "note", Texts.get(over ? "review.again_over" : "review.again_note")));
    if (over) return made;
    const seat = typeof viewer === "number" ? viewer : again.seat;
    if (again.command) made.append(element("code", "", `${again.command} --turn ${index + first} --seat ${seat}`));
    if (again.start) {
      const button = element("button", "", Texts.get("review.again_button"));
      button.type = "button";
      button.addEventListener("click", () => again.start(index + first));
      made.append(button);
    }
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
    at("this-turn").replaceWith(turnSection(index));
    at("others").replaceWith(othersSection(index, viewer));
    at("again").replaceWith(againSection(index, viewer));
  }

  function openPanel(...content) {
    at("analysis").replaceChildren(...content);
    at("analysis").hidden = false;
    document.body.classList.add("with-analysis");
  }

  // How far the review is, from 0 to 1, before it starts, and what is done now.
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
      ...["this-turn", "others", "again"].map((id) => section(id, "")),
    );
    at("this-turn").after(mistakesSection());
    at("analysis").append(luckSection());
    drawGraph();
    drawMistakes();
    Replay.onShow = draw;
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
      return seats;
    }));
  }

  return { start, showProgress, hide };
})();
