"use strict";

// Objectives with their points, what they mean, and the players who meet them.
const Objectives = (() => {
  const { element, signed } = Cards;
  const open = new Set(); // the ids of those whose explanation is shown: the table is often redrawn
  const FEW = 2; // more take too much of a small screen until they are opened
  const smallScreen = matchMedia("(max-width: 599px)");
  let isFolded = null; // null until the person folds or unfolds the list

  const named = (id) => element("span", "", Texts.get(`objective.${id}`));

  // `key` is the text around the names of the players, as in "now: You"; `condition` shows an id.
  function list(objectives, names, label, key = "table.met_by", condition = named) {
    const made = element("ul", "objectives");
    made.setAttribute("aria-label", label);
    for (const { id, points, met_by: players } of objectives) {
      const item = element("li", points < 0 ? "objective negative" : "objective");
      const met = players.length === names.length ? [Texts.get("table.all_players")] : players.map((player) => names[player]);
      const text = element("div", "condition");
      text.append(
        condition(id),
        element("small", "met-by", Texts.get(key, { names: met.length ? Texts.list(met) : Texts.get("table.no_player") })),
      );
      item.append(element("span", "objective-points", signed(points)), text);
      made.append(item);
    }
    return made;
  }

  // The objectives in play, which can be folded to a line with the person's points.
  function ofTable(table, view) {
    const { objectives } = table;
    const made = element("details", "objectives-fold");
    made.open = !(isFolded ?? (smallScreen.matches && objectives.length > FEW));
    const now = view.seat === null ? "" : ` \u00b7 ${view.names[view.seat]} ${signed(table.players[view.seat].round_score.objective_points)}`;
    const summary = element("summary", "", `${Texts.get("scores.objectives")}${now}`);
    summary.addEventListener("click", () => { isFolded = made.open; });
    const key = table.over ? "table.met_by" : "table.met_by_now";
    made.append(summary, list(objectives, view.names, Texts.get("table.objectives"), key, explained));
    return made;
  }

  // The condition; a click on it shows what it means.
  function explained(id) {
    const made = element("details");
    made.open = open.has(id);
    made.addEventListener("toggle", () => (made.open ? open.add(id) : open.delete(id)));
    made.append(
      element("summary", "", Texts.get(`objective.${id}`)),
      element("p", "", Texts.get(`explain.${id}`)),
    );
    return made;
  }

  return { list, ofTable };
})();
