// Objectives with their points, what they mean, and the players who meet them.
const Objectives = (() => {
  const { signed } = Cards;
  const open = new Set(); // the ids of those whose explanation is shown: the table is often redrawn
  const FEW = 2; // more take too much of a small screen until they are opened
  const [smallScreen, lowScreen] = ["(max-width: 599px)", "(max-height: 559px)"].map((query) => matchMedia(query));
  let isFolded = null; // null until the person folds or unfolds the list

  const named = (id) => element("span", "", Texts.get(`objective.${id}`));

  // `key` is the text around the names of the players, as in "now: You"; `condition` shows an id.
  const list = (objectives, names, label, key = "table.met_by", condition = named) => element(
    "ul",
    { class: "objectives", "aria-label": label },
    ...objectives.map(({ id, points, met_by: players }) => element(
      "li",
      points < 0 ? "objective negative" : "objective",
      element("span", "objective-points", signed(points)),
      element("div", "condition", condition(id), element("small", "met-by", Texts.get(key, { names: metBy(players, names) }))),
    )),
  );

  function metBy(players, names) {
    if (players.length === names.length) return Texts.get("table.all_players");
    return players.length ? Texts.list(players.map((player) => names[player])) : Texts.get("table.no_player");
  }

  // The objectives in play, which can be folded to a line with the person's points.
  function ofTable(table, view) {
    const { objectives } = table;
    const now = view.seat === null ? "" : ` \u00b7 ${view.names[view.seat]} ${signed(table.players[view.seat].round_score.objective_points)}`;
    const summary = element("summary", "", `${Texts.get("scores.objectives")}${now}`);
    const key = table.over ? "table.met_by" : "table.met_by_now";
    const made = element("details", "objectives-fold", summary, list(objectives, view.names, Texts.get("table.objectives"), key, explained));
    made.open = !(isFolded ?? (lowScreen.matches || (smallScreen.matches && objectives.length > FEW)));
    summary.addEventListener("click", () => { isFolded = made.open; });
    return made;
  }

  // The condition; a click on it shows what it means.
  function explained(id) {
    const condition = element("summary", "", Texts.get(`objective.${id}`));
    const made = element("details", "", condition, element("p", "", Texts.get(`explain.${id}`)));
    made.open = open.has(id);
    made.addEventListener("toggle", () => (made.open ? open.add(id) : open.delete(id)));
    return made;
  }

  return { list, ofTable };
})();
