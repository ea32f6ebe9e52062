"use strict";

// Objectives with their points, and the players who meet them now, or met them in a finished round.
const Objectives = (() => {
  const { element, signed } = Cards;

  function list(objectives, names, label, when = "") {
    const made = element("ul", "objectives");
    made.setAttribute("aria-label", label);
    for (const { points, condition, met } of objectives) {
      const item = element("li", points < 0 ? "objective malus" : "objective");
      const meeting = met.map((player) => names[player]).join(", ") || "nobody";
      const words = element("span", "condition", condition);
      words.append(element("small", "met", when + meeting));
      item.append(element("span", "worth", signed(points)), words);
      made.append(item);
    }
    return made;
  }

  return { list };
})();
