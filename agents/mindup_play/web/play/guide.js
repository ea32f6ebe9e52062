"use strict";

// The first round names what happens: labels in the slots, and a tip before each card is chosen.
// It ends with the first tip of the second round; the settings switch it on and off.
const Guide = (() => {
  const ROUND_1_TIPS = [
    "guide.choose", "guide.column", "guide.next_prizes", "guide.same_colour", "guide.objectives", "guide.last_card",
  ];
  let isOn = true;
  let isDone = false; // after its last tip; if it is switched on later, it waits for the next game

  function start(checkbox) {
    isOn = Choices.get("guide") !== "off";
    checkbox.checked = isOn;
    checkbox.addEventListener("change", () => switchTo(checkbox.checked));
  }

  function switchTo(on) {
    isOn = on;
    isDone = false;
    document.getElementById("guide").checked = on;
    Choices.set("guide", on ? "on" : "off");
  }

  // What each slot is for; nothing after the first round.
  function slotLabels(table) {
    if (!isOn || table.round > 1) return null;
    return table.row.map((_, place) => (
      Texts.get(place === 0 ? "guide.lowest" : place === table.row.length - 1 ? "guide.highest" : "guide.next")));
  }

  function tip(table) {
    if (!isOn || table.over) return "";
    if (table.round === 1) return Texts.get(tipKey(table));
    if (table.round === 2 && table.turn === 1) {
      isDone = true;
      return Texts.get("guide.round_2");
    }
    if (isDone) switchTo(false);
    return "";
  }

  function tipKey(table) {
    const key = table.turn === table.num_turns ? ROUND_1_TIPS.at(-1) : ROUND_1_TIPS[table.turn - 1];
    return key === "guide.objectives" && !table.objectives.length ? "guide.without_objectives" : key;
  }

  return { start, slotLabels, tip };
})();
