"use strict";

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

// An empty text adds nothing.
function filled(made, attributes = "", content = []) {
  const named = typeof attributes === "string" ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(named)) made.setAttribute(name, value);
  made.append(...content.filter((each) => each !== ""));
  return made;
}
