"use strict";

// Scores as tables: a round by its parts, and a game by its rounds.
const Scores = (() => {
  const { element } = Cards;

  function table(caption, heads, lines) {
    const made = element("table", "scores");
    const head = element("tr");
    for (const word of heads) {
      const cell = element("th", "", word);
      cell.scope = "col";
      head.append(cell);
    }
    const body = element("tbody");
    for (const { name, numbers, best, own } of lines) {
      const line = element("tr", [best && "best", own && "own"].filter(Boolean).join(" "));
      const first = element("th", "", name);
      first.scope = "row";
      line.append(first, ...numbers.map((number) => element("td", "", String(number).replace("-", "\u2212"))));
      body.append(line);
    }
    const top = element("thead");
    top.append(head);
    made.append(element("caption", "", caption), top, body);
    const scroll = element("div", "scroll"); // of names that are too long for a phone
    scroll.append(made);
    return scroll;
  }

  function byParts(moment, names, round, seat = null) {
    const most = Math.max(...moment.finished_rounds[round - 1].map(({ total }) => total));
    const withObjectives = moment.objectives.length > 0;
    const lines = moment.finished_rounds[round - 1].map((parts, player) => ({
      name: names[player],
      own: player === seat,
      best: parts.total === most,
      numbers: [
        parts.colour_points,
        parts.bonus_points,
        ...(withObjectives ? [parts.objective_points] : []),
        parts.total,
      ],
    }));
    const objectives = withObjectives ? ["Objectives"] : [];
    const heads = ["Player", "Columns", "Bonus", ...objectives, "Round"];
    return table(`Round ${round} of ${moment.rounds}`, heads, lines);
  }

  // A round by its parts, and which objectives were met in it.
  function ofRound(moment, names, round, seat = null) {
    const made = element("div", "round-scores");
    made.append(byParts(moment, names, round, seat));
    const objectives = moment.finished_objectives[round - 1];
    if (objectives.length) made.append(Objectives.list(objectives, names, `Objectives of round ${round}`));
    return made;
  }

  function byRounds(moment, names, seat = null) {
    const lines = moment.players.map(({ finished }, player) => ({
      name: names[player],
      own: player === seat,
      best: moment.winners.includes(player),
      numbers: [...moment.finished_rounds.map((players) => players[player].total), finished],
    }));
    const heads = moment.finished_rounds.map((_, round) => `Round ${round + 1}`);
    return table("All rounds", ["Player", ...heads, "Total"], lines);
  }

  return { ofRound, byRounds };
})();
