"use strict";

// Objectives with their points, and the players who meet them.
const Objectives = (() => {
  const { element, signed } = Cards;

  // `prefix` stands before the players, as in "now: You".
  function list(objectives, names, label, prefix = "") {
    const made = element("ul", "objectives");
    made.setAttribute("aria-label", label);
    for (const { points, condition, met_by: players } of objectives) {
      const item = element("li", points < 0 ? "objective negative" : "objective");
      const metBy = players.map((player) => names[player]).join(", ") || "nobody";
      const text = element("span", "condition", condition);
      text.append(element("small", "met-by", prefix + metBy));
      item.append(element("span", "objective-points", signed(points)), text);
      made.append(item);
    }
    return made;
  }

  return { list };
})();
