"use strict";

// Tables of scores: a round by its parts, and a game by its rounds.
const Scores = (() => {
  const { element } = Cards;

  function scoreTable(caption, heads, lines) {
    const made = element("table", "scores");
    const headRow = element("tr");
    for (const head of heads) {
      const cell = element("th", "", head);
      cell.scope = "col";
      headRow.append(cell);
    }
    const body = element("tbody");
    for (const { name, numbers, best, own } of lines) {
      const row = element("tr", [best && "best", own && "own"].filter(Boolean).join(" "));
      const first = element("th", "", name);
      first.scope = "row";
      row.append(first, ...numbers.map((number) => element("td", "", String(number).replace("-", "\u2212"))));
      body.append(row);
    }
    const top = element("thead");
    top.append(headRow);
    made.append(element("caption", "", caption), top, body);
    const scroll = element("div", "scroll"); // long names are wider than a phone
    scroll.append(made);
    return scroll;
  }

  function byParts(table, names, round, seat) {
    const scores = table.round_scores[round - 1];
    const highest = Math.max(...scores.map(({ total }) => total));
    const withObjectives = table.objectives.length > 0;
    const lines = scores.map((score, player) => ({
      name: names[player],
      own: player === seat,
      best: score.total === highest,
      numbers: [
        score.colour_points,
        score.bonus_points,
        ...(withObjectives ? [score.objective_points] : []),
        score.total,
      ],
    }));
    const objectives = withObjectives ? [Texts.get("scores.objectives")] : [];
    const heads = [
      ...["scores.player", "scores.columns", "scores.bonus"].map((key) => Texts.get(key)),
      ...objectives,
      Texts.get("scores.round"),
    ];
    return scoreTable(Texts.get("scores.round_of", { round, rounds: table.num_rounds }), heads, lines);
  }

  // A round by its parts, and the objectives that were met in it.
  function ofRound(table, names, round, seat = null) {
    const made = element("div", "round-scores");
    made.append(byParts(table, names, round, seat));
    const objectives = table.round_objectives[round - 1];
    if (objectives.length) made.append(Objectives.list(objectives, names, Texts.get("scores.objectives_of_round", { round })));
    return made;
  }

  function byRounds(table, names, seat = null) {
    const lines = table.players.map(({ score }, player) => ({
      name: names[player],
      own: player === seat,
      best: table.winners.includes(player),
      numbers: [...table.round_scores.map((scores) => scores[player].total), score],
    }));
    const heads = table.round_scores.map((_, round) => Texts.get("scores.round_number", { round: round + 1 }));
    return scoreTable(Texts.get("scores.all_rounds"), [Texts.get("scores.player"), ...heads, Texts.get("scores.total")], lines);
  }

  return { ofRound, byRounds };
})();
