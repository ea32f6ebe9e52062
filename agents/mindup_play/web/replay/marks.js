"use strict";

// Rings around cards of a drawn table, each explained by the legend: the card that a player plays
// next, the card that was advised, the prize taken last, and a card that only its owner knows.
const Marks = (() => {
  const { element } = Cards;
  const LEGEND = {
    played: "replay.mark_played",
    advised: "replay.mark_advised",
    taken: "replay.mark_taken",
    hidden: "replay.mark_hidden",
  };

  const panelOf = (root, player) => root.querySelector(`.panel[data-player="${player}"]`);

  function markCard(root, player, area, number, kind) {
    panelOf(root, player)?.querySelector(`${area} [data-card="${number}"]`)?.classList.add(`mark-${kind}`);
  }

  // `next` are the plays of the next turn, or null; `advised` has the advised card by player.
  function draw(root, table, next, advised) {
    for (const { player, card } of next?.plays ?? []) markCard(root, player, ".hand-cards", card, "played");
    for (const [player, card] of advised) markCard(root, player, ".hand-cards", card, "advised");
    if (!table.last_turn?.scored_tableaux) {
      for (const { player, prize } of table.last_turn?.plays ?? []) markCard(root, player, ".tableau", prize, "taken");
    }
    for (const card of root.querySelectorAll(".hidden-card")) card.classList.add("mark-hidden");
  }

  // The explanation of the rings that are on the table now.
  function drawLegend(legend, root) {
    const present = Object.entries(LEGEND).filter(([kind]) => root.querySelector(`.mark-${kind}`));
    legend.replaceChildren(...present.map(([kind, key]) => {
      const item = element("li");
      item.append(element("span", `sample mark-${kind}`), element("span", "", Texts.get(key)));
      return item;
    }));
  }

  return { draw, drawLegend };
})();
