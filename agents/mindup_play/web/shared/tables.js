"use strict";

// Tables of numbers, with a head for each column and each row; wide ones scroll on a phone.
const Tables = (() => {
  // The contents of heads and cells are texts, numbers or elements. `groups` are heads above the
  // others, each {text, columns}.
  function table(classes, heads, rows, { caption = null, groups = [] } = {}) {
    const head = element("thead");
    if (groups.length) head.append(element("tr", "group", ...groups.map(groupHead)));
    head.append(element("tr", "", ...heads.map((content) => element("th", { scope: "col" }, content))));
    const captions = caption === null ? [] : [element("caption", "", caption)];
    return element("div", "scroll", element("table", classes, ...captions, head, element("tbody", "", ...rows)));
  }

  const row = (title, cells, classes = "") => element(
    "tr",
    classes,
    element("th", { scope: "row" }, title),
    ...cells.map((content) => element("td", "", content)),
  );

  const groupHead = ({ text, columns }) => (
    text ? element("th", { scope: "colgroup", colspan: columns }, text) : element("td", { colspan: columns }));

  return { table, row };
})();
