"use strict";

// Shares, small tables and small cards of a review.
const Figures = (() => {
  const { element } = Cards;

  const percent = (share, digits = 0) => (
    Texts.number(share, { style: "percent", maximumFractionDigits: digits }).replace("-", "\u2212"));
  const change = (share) => Texts.number(share, {
    style: "percent", maximumFractionDigits: Math.abs(share) < 0.095 ? 1 : 0, signDisplay: "exceptZero",
  }).replace("-", "\u2212");

  function section(id, title, ...content) {
    const made = element("section");
    made.id = id;
    made.append(element("h2", "", title), ...content);
    return made;
  }

  // Heads are keys of texts, or elements.
  function table(heads, rows) {
    const made = element("table", "figures");
    const head = element("tr");
    for (const content of heads) {
      const cell = element("th");
      cell.append(typeof content === "string" ? Texts.get(content) : content);
      cell.scope = "col";
      head.append(cell);
    }
    const top = element("thead");
    top.append(head);
    const body = element("tbody");
    body.append(...rows);
    made.append(top, body);
    const scroll = element("div", "scroll");
    scroll.append(made);
    return scroll;
  }

  function tableRow(title, cells, classes = "") {
    const made = element("tr", classes);
    const head = element("th");
    head.append(title);
    head.scope = "row";
    made.append(head, ...cells.map((content) => {
      const cell = element("td");
      cell.append(content);
      return cell;
    }));
    return made;
  }

  const smallCard = (number) => Cards.card(Replay.deck, number, false);

  function chip(card, text) {
    const made = element("span", "chip");
    made.append(smallCard(Number(card)), element("small", "", text));
    return made;
  }

  return { percent, change, section, table, tableRow, smallCard, chip };
})();
