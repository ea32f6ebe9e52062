// Elements: those of the page by their ids, and new ones.

const at = (id) => document.getElementById(id);

// `attributes` are the classes of the element, or several attributes by their names.
const element = (tag, attributes, ...content) => (
  filled(document.createElement(tag), attributes, content));

const svgElement = (tag, attributes, ...content) => (
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content));

function button(content, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, content);
  made.addEventListener("click", onClick);
  return made;
}

// An empty text adds nothing; numbers are written with a minus.
function filled(made, attributes = "", content = []) {
  const named = typeof attributes === "string" ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(named)) made.setAttribute(name, value);
  made.append(...content.filter((each) => each !== "").map((each) => (typeof each === "number" ? Texts.number(each) : each)));
  return made;
}

// Numbers and lists in a text.
const Texts = (() => {
  // With a minus, not a hyphen.
  const number = (value, options) => value.toLocaleString("en", options).replace("-", "\u2212");
  const percent = (share, digits = 0) => number(share, { style: "percent", maximumFractionDigits: digits });
  const points = (count) => `${number(count)} ${Math.abs(count) === 1 ? "point" : "points"}`;
  const ordinal = (place) => `${place}${["st", "nd", "rd"][place - 1] ?? "th"}`; // up to 20
  const list = (items) => new Intl.ListFormat("en").format(items);

  return { number, percent, points, ordinal, list };
})();
