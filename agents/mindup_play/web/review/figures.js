"use strict";

// Sections, changes of chances and small cards beside the table of a replay.
const Figures = (() => {
  const change = (share) => Texts.number(share, {
    style: "percent", maximumFractionDigits: Math.abs(share) < 0.095 ? 1 : 0, signDisplay: "exceptZero",
  }).replace("-", "\u2212");

  const section = (id, title, ...content) => element("section", { id }, element("h2", "", title), ...content);

  // The heads are keys of texts.
  const table = (keys, rows) => Tables.table("figures", keys.map((key) => Texts.get(key)), rows);

  const smallCard = (number) => Cards.card(Replay.deck, number, false);

  return { change, section, table, smallCard };
})();
