// The review of a game beside its table: the most expensive mistakes, why the best card of the turn
// that is shown is better, the chances of all players, and what the deal was worth.
const Review = (() => {
  const { percent } = Texts;
  const { change, section, note, smallCard, table } = Figures;
  const MOST_MISTAKES = 5;
  const SMALL = 0.05; // of a mistake that costs less
  const ALL_PLAYERS = "all";
  let review = null;
  let person = null; // the seat of the person whose game this is, if any
  let tryAgain = null; // plays on from a turn; null for a record

  const name = (seat) => Replay.names[seat];
  const choicesAt = (index) => review.choices.filter(({ turn }) => turn === index);

  // The chances of all players

  function chancesSection() {
    const series = Replay.names.map(() => Replay.tables.map(() => null));
    for (const { turn, seat, win_probability: chance } of review.choices) series[seat][turn] = chance;
    review.win_shares?.forEach((share, seat) => { series[seat][Replay.tables.length - 1] = share; });
    const graph = Replay.graph(series, {
      format: (share) => percent(share),
      label: "Chance to win before each choice, from what each player could know",
      axis: "turns; dots: mistakes; dashed: end of a round",
      range: [0, 1],
      height: 260,
      labelHeight: 23,
      dots: review.choices.filter(({ mistake }) => mistake).map(({ seat, turn }) => ({ player: seat, turn })),
    });
    return section("chances", "Chance to win", element("div", { id: "chances-graph" }, graph));
  }

  // The choices of the turn

  // Only of a mistake: other differences may be chance.
  const grade = ({ cost }) => (cost < SMALL ? "Small mistake" : "Mistake");

  function choiceRow({ seat, played, best, win_probability: chance, cost, margin, mistake }) {
    const costText = element("span", "", mistake ? change(-cost) : "\u2013");
    if (mistake) costText.title = `give or take ${percent(margin, 1)}`;
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
    const { turn, num_turns: turns } = Replay.tables[index];
    const kept = `kept ${played} ${turn === turns ? "as the last card of the round" : "for a later turn"}`;
    const [moreText, lessText] = [more, less].map(Cards.signed);
    const why = taken === better ? `${best} would have taken ${taken} too, and ${kept}.`
      : more > less ? `${best} would have taken ${better} (${moreText}); ${played} took ${taken} (${lessText}).`
        : `${best} would have taken ${better} (${moreText}) rather than ${taken} (${lessText}), and ${kept}.`;
    const costs = `That is ${percent(choice.cost, 1)} more chance to win.`;
    return element("section", { id: "why" }, element("p", "", element("b", "", `${grade(choice)}: `), `${why} ${costs}`));
  }

  // What a prize brings in the column of its colour, or in the next empty one.
  function pointsOf(prize, { players, score_cards: values }, viewer) {
    const { colour, points } = Replay.deck[prize - 1];
    const column = players[viewer].tableau.findIndex(([first]) => !first || Replay.deck[first - 1].colour === colour);
    return values[column] + points;
  }

  function turnSection(index) {
    const rows = choicesAt(index).map(choiceRow);
    const heads = ["Player", "Chance", "Played", "Best", "Cost"];
    const content = rows.length ? [table(heads, rows), note("Chance: to win with the best card, as far as that player could know. So the chances of all players need not add up to 100 %.")] : [note("No more cards are played.")];
    return section("this-turn", "Choices of this turn", ...content);
  }

  // The most expensive mistakes

  function showChoice({ turn, seat }) {
    Stepper.step(turn);
    Replay.setViewer(seat);
  }

  function mistakeItem(choice) {
    const { seat, played, best, cost } = choice;
    const { round, turn } = Replay.tables[choice.turn];
    const made = button(element("b", "", change(-cost)), () => showChoice(choice), { class: "jump", title: grade(choice) });
    made.append(
      element("span", "", `${played} instead of ${best}`),
      element("small", "", `Round ${round}, turn ${turn} · ${name(seat)}`),
    );
    return element("li", "", made);
  }

  function mistakesSection() {
    const players = Replay.names.map((each, seat) => new Option(each, seat));
    const all = new Option("All players", ALL_PLAYERS);
    const select = element("select", { id: "whose", "aria-label": "Whose mistakes" }, all, ...players);
    const list = element("ol", { id: "mistakes-list" });
    const next = button("Next mistake", () => showChoice(after(Stepper.shown)), { id: "next-mistake" });
    const found = () => review.choices.filter(({ mistake, seat }) => mistake && [ALL_PLAYERS, String(seat)].includes(select.value));
    const after = (index) => found().find(({ turn }) => turn > index) ?? found()[0];
    const worst = () => found().sort((one, other) => other.cost - one.cost).slice(0, MOST_MISTAKES);
    function drawList() {
      list.replaceChildren(...worst().map(mistakeItem));
      next.disabled = !worst().length;
      if (next.disabled) list.append(element("li", "note", "No choice was clearly worse than another."));
    }
    if (person !== null) select.value = person;
    select.addEventListener("change", drawList);
    drawList();
    return section("mistakes", "Most expensive mistakes", select, next, list, note("A choice counts as a mistake only where chance can hardly explain the difference. It is judged by what the player could know then, not by the cards of the others."));
  }

  // Trying again

  function againSection(index) {
    const { over } = Replay.tables[index];
    const text = over ? "Go to an earlier turn to play on from it." : "The same deal and the same turns before this one, against bots.";
    const made = section("again", "Try again from here", note(text));
    if (!over) made.append(button("Play on from here", () => tryAgain(index)));
    return made;
  }

  // Luck and skill: what the deal was worth, and the mistakes

  function luckSection() {
    const { deal } = review;
    const heads = ["Player", "Deal", "Mistakes", "Small ones"];
    const rows = Replay.names.map((each, player) => {
      const own = review.choices.filter(({ seat, mistake }) => mistake && seat === player);
      const small = own.filter(({ cost }) => cost < SMALL).length;
      return Tables.row(each, [percent(deal[player]), own.length - small, small]);
    });
    const equal = percent(1 / Replay.names.length, 1);
    const about = `Deal: the chance to win with these cards, as each player could estimate it at the start; an equal share is ${equal}. A small mistake costs less than 5 %.`;
    return section("luck", "Luck and skill", table(heads, rows), note(about));
  }

  // Shows the progress, from 0 to 1, and what is being done, until the review is there.
  const showProgress = (value, text) => Replay.openPanel(section(
    "reviewing",
    "Review",
    element("progress", { id: "review-progress", value, "aria-label": "Reviewing the game…" }),
    element("p", { id: "review-status", class: "note" }, text),
  ));

  function start(data, ofPerson = null, onTry = null) {
    [review, person, tryAgain] = [data, ofPerson, onTry];
    Replay.openPanel(mistakesSection(), whySection, chancesSection, turnSection, ...(tryAgain ? [againSection] : []), luckSection());
    Replay.setEvaluations(Replay.tables.map((_, index) => {
      const seats = Replay.names.map(() => null);
      for (const { seat, values } of choicesAt(index)) seats[seat] = { unit: review.unit, values };
      return seats;
    }));
    if (person !== null) Replay.setViewer(person);
    if (!location.hash) at("mistakes-list").querySelector("button")?.click();
  }

  return { start, showProgress };
})();
