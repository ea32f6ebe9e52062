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
    "span", { class: "score-card", role: "img", "aria-label": Texts.get("scores.score_card", { value }) }, value);

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
      ["scores.bonus", bonus],
      ...(objectives.length ? [["scores.objectives", met]] : []),
      ["scores.round", ({ total }) => total],
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
    const heads = [Texts.get("scores.player"), ...values.map(columnHead), ...parts.map(([key]) => element("span", "part", Texts.get(key)))];
    const groups = [["", 1], [Texts.get("scores.columns"), values.length], ["", parts.length]];
    const caption = Texts.get("scores.round_of", { round, rounds: table.num_rounds });
    return Tables.table("scores by-parts", heads, rows, { caption, groups });
  }

  // A round by its parts, the objectives that were met in it, and how they are added. `view` is that of
  // the table.
  function ofRound(table, view, round) {
    const objectives = table.round_objectives[round - 1];
    const met = objectives.length
      ? [Objectives.list(objectives, view.names, Texts.get("scores.objectives_of_round", { round }))] : [];
    const key = objectives.length ? "scores.explained_objectives" : "scores.explained";
    const note = round === 1 ? [element("p", "note", Texts.get(key))] : [];
    return element("div", "round-scores", byParts(table, view, round), ...met, ...note);
  }

  function byRounds(table, { names, seat }) {
    const rows = table.players.map(({ score }, player) => scoreRow({
      name: names[player],
      own: player === seat,
      best: table.winners.includes(player),
      cells: [...table.round_scores.map((scores) => scores[player].total), score],
    }));
    const rounds = table.round_scores.map((_, round) => Texts.get("scores.round_number", { round: round + 1 }));
    const heads = [Texts.get("scores.player"), ...rounds, Texts.get("scores.total")];
    return Tables.table("scores", heads, rows, { caption: Texts.get("scores.all_rounds") });
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
    const list = element("ol", { class: "ranking", "aria-label": Texts.get("scores.ranking") }, ...items);
    if (!table.ranking.some(({ behind, place }) => behind === 0 && place > 1)) return list;
    return element("div", "", list, element("p", "tie-break", Texts.get("end.tie_break")));
  }

  const ordinal = (place) => Texts.get(`ordinal.${place}`);

  // "3rd of 4, 8 points behind Ada", or how far ahead the winner is.
  function margin({ margin: text }, { names }) {
    if (!text) return "";
    const place = text.values.place ? ordinal(text.values.place) : "";
    return Texts.get(text.key, { ...text.values, place, names: Texts.list(text.names.map((player) => names[player])) });
  }

  // Where a lone winner gained most on the person, or on the next player.
  function decisive({ winners: [winner, ...tied], ranking: [, next], round_scores: rounds, round_objectives: objectives }, { names, seat }) {
    if (tied.length) return "";
    const rival = winner === seat ? next.player : seat;
    const leads = rounds.map((scores) => scores[winner].total - scores[rival].total);
    const round = leads.indexOf(Math.max(...leads));
    const [points, others] = [winner, rival].map((player) => rounds[round][player])
      .map((score) => `${score.total} (${Points.parts(score, objectives[round].length)})`);
    return Texts.get("end.decisive", { round: round + 1, winner: names[winner], points, rival: names[rival], others });
  }

  return { ofRound, byRounds, ranking, margin, decisive, ordinal };
})();
