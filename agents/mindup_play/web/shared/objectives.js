"use strict";

// Objectives with their points, and the players who meet them.
const Objectives = (() => {
  const { element, signed } = Cards;

  // `metByKey` is the text of the players who meet an objective, as in "now: You".
  function list(objectives, names, label, metByKey = "table.met_by") {
    const made = element("ul", "objectives");
    made.setAttribute("aria-label", label);
    for (const { id, points, met_by: players } of objectives) {
      const item = element("li", points < 0 ? "objective negative" : "objective");
      const metBy = players.map((player) => names[player]).join(", ") || Texts.get("table.nobody");
      const text = element("span", "condition", Texts.get(`objective.${id}`));
      text.append(element("small", "met-by", Texts.get(metByKey, { names: metBy })));
      item.append(element("span", "objective-points", signed(points)), text);
      made.append(item);
    }
    return made;
  }

  return { list };
})();
