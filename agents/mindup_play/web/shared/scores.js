"use strict";

// Tables of scores: a round by its parts, a game by its rounds, and the ranking at the end.
const Scores = (() => {
  const { element, signed } = Cards;
  const minus = (number) => String(number).replace("-", "\u2212");

  // Heads and cells are texts, numbers or elements. `group` is a row of heads above the others, each
  // {text, columns}.
  function scoreTable(classes, caption, heads, lines, group = []) {
    const made = element("table", `scores ${classes}`);
    const headRow = element("tr");
    for (const head of heads) {
      const cell = element("th");
      cell.scope = "col";
      cell.append(head);
      headRow.append(cell);
    }
    const body = element("tbody");
    for (const { name, cells, best, own } of lines) {
      const row = element("tr", [best && "best", own && "own"].filter(Boolean).join(" "));
      const first = element("th", "", name);
      first.scope = "row";
      row.append(first, ...cells.map((content) => {
        const cell = element("td");
        cell.append(typeof content === "number" ? minus(content) : content);
        return cell;
      }));
      body.append(row);
    }
    const top = element("thead");
    if (group.length) top.append(groupRow(group));
    top.append(headRow);
    made.append(element("caption", "", caption), top, body);
    const scroll = element("div", "scroll"); // long names are wider than a phone
    scroll.append(made);
    return scroll;
  }

  function groupRow(group) {
    const made = element("tr", "group");
    for (const { text, columns } of group) {
      const cell = element(text ? "th" : "td", "", text);
      if (text) cell.scope = "colgroup";
      cell.colSpan = columns;
      made.append(cell);
    }
    return made;
  }

  // A score card above the points of the players' columns under it.
  function columnHead(value) {
    const made = element("span", "score-card", value);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", Texts.get("scores.score_card", { value }));
    return made;
  }

  // "12" above "3 × 4" in the colour of the column; the points alone of an empty one.
  function columnCell({ cards, points }, value, deck) {
    if (!cards.length) return element("span", "none", "\u2013");
    const made = element("span", "by-column");
    const { colour } = deck[cards[0] - 1];
    const product = element("small", `card ${colour}`);
    product.append(Cards.shape(colour), `${cards.length}\u00d7${value}`);
    made.append(element("b", "", points), product);
    return made;
  }

  // Points above the terms that they are the sum of, each {points, count}: "4 × (+2)" and "−1".
  function sumCell(points, terms) {
    const texts = terms.map(({ points: each, count }) => (count > 1 ? `${count} \u00d7 (${signed(each)})` : signed(each)));
    if (!texts.length || texts.join() === signed(points)) return points;
    const made = element("span", "by-column");
    const small = element("small", "terms");
    small.append(...texts.map((text) => element("span", "", text)));
    made.append(element("b", "", minus(points)), small);
    return made;
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
    const withObjectives = objectives.length > 0;
    const lines = scores.map((score, player) => ({
      name: names[player],
      own: player === seat,
      best: score.total === highest,
      cells: [
        ...players[player].map((column, place) => columnCell(column, values[place], deck)),
        sumCell(score.bonus_points, bonusTerms(players[player].flatMap(({ cards }) => cards), deck)),
        ...(withObjectives ? [sumCell(score.objective_points, objectiveTerms(objectives, player))] : []),
        score.total,
      ],
    }));
    const heads = [
      Texts.get("scores.player"),
      ...values.map(columnHead),
      ...["scores.bonus", ...(withObjectives ? ["scores.objectives"] : []), "scores.round"]
        .map((key) => element("span", "part", Texts.get(key))),
    ];
    const group = [
      { text: "", columns: 1 },
      { text: Texts.get("scores.columns"), columns: values.length },
      { text: "", columns: heads.length - 1 - values.length },
    ];
    return scoreTable("by-parts", Texts.get("scores.round_of", { round, rounds: table.num_rounds }), heads, lines, group);
  }

  // A round by its parts, the objectives that were met in it, and how they are added. `view` is that of
  // the table.
  function ofRound(table, view, round) {
    const made = element("div", "round-scores");
    made.append(byParts(table, view, round));
    const objectives = table.round_objectives[round - 1];
    if (objectives.length) {
      made.append(Objectives.list(objectives, view.names, Texts.get("scores.objectives_of_round", { round })));
    }
    made.append(element("p", "note", Texts.get(objectives.length ? "scores.explained_objectives" : "scores.explained")));
    return made;
  }

  function byRounds(table, { names, seat }) {
    const lines = table.players.map(({ score }, player) => ({
      name: names[player],
      own: player === seat,
      best: table.winners.includes(player),
      cells: [...table.round_scores.map((scores) => scores[player].total), score],
    }));
    const heads = table.round_scores.map((_, round) => Texts.get("scores.round_number", { round: round + 1 }));
    return scoreTable("by-rounds", Texts.get("scores.all_rounds"), [Texts.get("scores.player"), ...heads, Texts.get("scores.total")], lines);
  }

  // The players from the winner on, with bars as long as their totals.
  function ranking(table, { names, seat }) {
    const made = element("ol", "ranking");
    made.setAttribute("aria-label", Texts.get("scores.ranking"));
    const best = Math.max(1, ...table.ranking.map(({ total }) => total));
    for (const { player, place, total, behind } of table.ranking) {
      const item = element("li", player === seat ? "own" : "");
      item.classList.toggle("first", place === 1);
      const bar = element("meter");
      Object.assign(bar, { min: 0, max: best, value: Math.max(0, total) });
      bar.setAttribute("aria-hidden", "true");
      item.append(
        element("span", "place", `${place}.`), element("span", "player-name", names[player]), bar,
        element("b", "", minus(total)), element("small", "", behind ? minus(-behind) : ""),
      );
      made.append(item);
    }
    if (!table.ranking.some(({ behind, place }) => behind === 0 && place > 1)) return made;
    const all = element("div");
    all.append(made, element("p", "tie-break", Texts.get("end.tie_break")));
    return all;
  }

  // "Number 3 of 4, 8 points behind greedy", or how far ahead the winner is.
  function margin(table, { names, seat }) {
    const own = table.ranking.find(({ player }) => player === seat);
    const named = (places) => Texts.list(places.map(({ player }) => names[player]));
    if (own.place > 1) {
      const winners = table.ranking.filter(({ place }) => place === 1);
      return Texts.get(own.behind ? "end.behind" : "end.tie_break_lost", {
        count: own.behind, place: own.place, players: table.ranking.length, names: named(winners),
      });
    }
    const others = table.ranking.filter(({ place }) => place > 1);
    if (!others.length) return "";
    const { behind } = others[0];
    const next = others.filter(({ place }) => place === others[0].place);
    return Texts.get(behind ? "end.ahead" : "end.tie_break_won", { count: behind, names: named(next) });
  }

  return { ofRound, byRounds, ranking, margin };
})();
