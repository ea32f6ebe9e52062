// Tables of numbers, with a head for each column and each row; wide ones scroll on a phone.
const Tables = (() => {
  // The contents of heads and cells are texts, numbers or elements. `groups` are heads above the
  // others, each [text, number of columns].
  function table(classes, heads, rows, { caption = null, groups = [] } = {}) {
    const head = element("thead");
    if (groups.length) head.append(element("tr", "group", ...groups.map(groupHead)));
    head.append(element("tr", "", ...heads.map((content) => element("th", { scope: "col" }, content))));
    const captions = caption === null ? [] : [element("caption", "", caption)];
    return element("div", "scroll", element("table", classes, ...captions, head, element("tbody", "", ...rows)));
  }

  const row = (title, cells, classes = "") => element(
    "tr", classes, element("th", { scope: "row" }, title), ...cells.map((content) => element("td", "", content)));

  const groupHead = ([text, columns]) => (
    text ? element("th", { scope: "colgroup", colspan: columns }, text) : element("td", { colspan: columns }));

  return { table, row };
})();

// Tables of scores: a round by its parts, a game by its rounds, and the ranking at the end.
const Scores = (() => {
  const { signed } = Cards;

  // Cells are numbers, texts or elements.
  const scoreRow = ({ name, cells, best, own }) => (
    Tables.row(name, cells, [best && "best", own && "own"].filter(Boolean).join(" ")));

  // A score card above the points of the players' columns under it.
  const columnHead = (value) => element(
    "span", { class: "score-card", role: "img", "aria-label": `Column under score card ${value}` }, value);

  // "12" above "3 × 4" in the colour of the column; the points alone of an empty one.
  function columnCell({ cards, points }, value, deck) {
    if (!cards.length) return element("span", "none", "\u2013");
    const { colour } = deck[cards[0] - 1];
    const product = element("small", `card ${colour}`, Cards.shape(colour), `${cards.length}\u00d7${value}`);
    return element("span", "by-column", element("b", "", points), product);
  }

  // Points above the terms that they are the sum of, each {points, count}: "4 × (+2)" and "−1".
  function sumCell(points, terms) {
    const texts = terms.map(({ points: each, count }) => (count > 1 ? `${count} \u00d7 (${signed(each)})` : signed(each)));
    if (!texts.length || texts.join() === signed(points)) return points;
    const small = element("small", "terms", ...texts.map((text) => element("span", "", text)));
    return element("span", "by-column", element("b", "", points), small);
  }

  // The bonus points on cards, the highest first.
  function bonusTerms(cards, deck) {
    const printed = cards.map((card) => deck[card - 1].points).filter((points) => points !== 0);
    const kinds = [...new Set(printed)].sort((one, other) => other - one);
    return kinds.map((points) => ({ points, count: printed.filter((each) => each === points).length }));
  }

  const objectiveTerms = (objectives, player) => objectives
    .filter(({ met_by: players }) => players.includes(player)).map(({ points }) => ({ points, count: 1 }));

  function byParts(table, { names, seat, deck }, round) {
    const scores = table.round_scores[round - 1];
    const { score_cards: values, players } = table.round_columns[round - 1];
    const highest = Math.max(...scores.map(({ total }) => total));
    const objectives = table.round_objectives[round - 1];
    const bonus = (score, player) => sumCell(score.bonus_points, bonusTerms(players[player].flatMap(({ cards }) => cards), deck));
    const met = (score, player) => sumCell(score.objective_points, objectiveTerms(objectives, player));
    const parts = [
      ["Bonus", bonus],
      ...(objectives.length ? [["Objectives", met]] : []),
      ["Round", ({ total }) => total],
    ];
    const rows = scores.map((score, player) => scoreRow({
      name: names[player],
      own: player === seat,
      best: score.total === highest,
      cells: [
        ...players[player].map((column, place) => columnCell(column, values[place], deck)),
        ...parts.map(([, cell]) => cell(score, player)),
      ],
    }));
    const heads = ["Player", ...values.map(columnHead), ...parts.map(([head]) => element("span", "part", head))];
    const groups = [["", 1], ["Columns: cards × score card", values.length], ["", parts.length]];
    const caption = `Round ${round} of ${table.num_rounds}`;
    return Tables.table("scores by-parts", heads, rows, { caption, groups });
  }

  // A round by its parts, the objectives that were met in it, and how they are added. `view` is that of
  // the table.
  function ofRound(table, view, round) {
    const objectives = table.round_objectives[round - 1];
    const met = objectives.length
      ? [Objectives.list(objectives, view.names, `Objectives of round ${round}`)] : [];
    const note = round === 1 ? [element("p", "note", explained(objectives.length > 0))] : [];
    return element("div", "round-scores", byParts(table, view, round), ...met, ...note);
  }

  function explained(withObjectives) {
    const parts = "A column scores its number of cards times the score card above it. The bonus is the sum of the points printed on the cards";
    return withObjectives
      ? `${parts}, and each objective that a player meets adds its points. All together are the score of the round.`
      : `${parts}. Both together are the score of the round.`;
  }

  function byRounds(table, { names, seat }) {
    const rows = table.players.map(({ score }, player) => scoreRow({
      name: names[player],
      own: player === seat,
      best: table.winners.includes(player),
      cells: [...table.round_scores.map((scores) => scores[player].total), score],
    }));
    const rounds = table.round_scores.map((_, round) => `Round ${round + 1}`);
    const heads = ["Player", ...rounds, "Total"];
    return Tables.table("scores", heads, rows, { caption: "All rounds" });
  }

  // The players from the winner on, with bars as long as their totals.
  function ranking(table, { names, seat }) {
    const max = Math.max(1, ...table.ranking.map(({ total }) => total));
    const items = table.ranking.map(({ player, place, total, behind }) => element(
      "li",
      [player === seat && "own", place === 1 && "first"].filter(Boolean).join(" "),
      element("span", "place", `${place}.`),
      element("span", "player-name", names[player]),
      element("meter", { min: 0, max, value: Math.max(0, total), "aria-hidden": "true" }),
      element("b", "", total),
      element("small", "", behind ? -behind : ""),
    ));
    const list = element("ol", { class: "ranking", "aria-label": "Ranking" }, ...items);
    if (!table.ranking.some(({ behind, place }) => behind === 0 && place > 1)) return list;
    return element("div", "", list, element("p", "tie-break", "Equal totals: the higher score of the last round decides."));
  }

  // "You are 3rd of 4, 8 points behind Ada", or how far ahead a winner is; nothing if all have won.
  function margin({ ranking, winners }, { names, seat }) {
    const namesOf = (players) => Texts.list(players.map((player) => names[player]));
    const own = ranking.find(({ player }) => player === seat);
    const next = ranking.find(({ place }) => place > 1);
    const tieBreak = "the higher score of the last round decides";
    if (!next) return "";
    if (own.place > 1) {
      const place = `You are ${Texts.ordinal(own.place)} of ${ranking.length}`;
      const others = namesOf(winners);
      return own.behind ? `${place}, ${Texts.points(own.behind)} behind ${others}` : `${place}, level with ${others}: ${tieBreak}`;
    }
    const others = namesOf(ranking.filter(({ place }) => place === next.place).map(({ player }) => player));
    return next.behind ? `${Texts.points(next.behind)} ahead of ${others}` : `Level with ${others}: ${tieBreak}`;
  }

  // Where a lone winner gained most on the person, or on the next player.
  function decisive({ winners: [winner, ...tied], ranking: [, next], round_scores: rounds, round_objectives: objectives }, { names, seat }) {
    if (tied.length) return "";
    const rival = winner === seat ? next.player : seat;
    const leads = rounds.map((scores) => scores[winner].total - scores[rival].total);
    const round = leads.indexOf(Math.max(...leads));
    const [points, others] = [winner, rival].map((player) => rounds[round][player])
      .map((score) => `${score.total} (${Points.parts(score, objectives[round].length)})`);
    return `The largest part of the lead came in round ${round + 1}: ${names[winner]} ${points}, ${names[rival]} ${others}`;
  }

  return { ofRound, byRounds, ranking, margin, decisive };
})();
