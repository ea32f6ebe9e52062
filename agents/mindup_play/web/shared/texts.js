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

// The texts of the page, in the user's language: see languages/ beside this folder of pages.
//
// The element #texts holds them, in the language that the server has chosen, or in all languages;
// then this computer's last choice or the browser decides.
const Texts = (() => {
  const NAME = "mindup-language";
  const { languages, texts } = JSON.parse(at("texts").textContent);
  const language = chosen();
  const plural = new Intl.PluralRules(language);

  function chosen() {
    const primary = (wanted) => wanted.split("-")[0];
    return [...remembered(), ...navigator.languages].map(primary).find((code) => code in texts)
      ?? Object.keys(texts)[0];
  }

  function remembered() {
    try {
      return [localStorage.getItem(NAME) ?? ""];
    } catch {
      return []; // a page from a file may have no storage
    }
  }

  // The server reads a cookie, which unlike the storage is the same for all ports.
  function change(to) {
    document.cookie = `${NAME}=${to}; path=/; max-age=31536000; samesite=strict`;
    try {
      localStorage.setItem(NAME, to);
    } catch { /* as above */ }
    location.reload();
  }

  // The text of a key, with values for its {placeholders}; `count` selects singular or plural.
  function get(key, values = {}) {
    const text = texts[language][key];
    if (text === undefined) throw new RangeError(key);
    const form = typeof text === "string" ? text : text[plural.select(values.count)] ?? text.other;
    return form.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? number(values[name]) : values[name]));
  }

  // With a minus, in every language.
  const number = (value, options) => value.toLocaleString(language, options).replace("-", "\u2212");
  const percent = (share, digits = 0) => number(share, { style: "percent", maximumFractionDigits: digits });
  const list = (items) => new Intl.ListFormat(language).format(items);

  // Fills in elements: data-text is the key of the text, data-text-title that of the title, and so
  // for any attribute. A group with data-languages gets a button for each language.
  function fill(root) {
    for (const element of root.querySelectorAll("*")) {
      for (const { name, value } of [...element.attributes]) {
        if (name === "data-text") element.textContent = get(value);
        else if (name.startsWith("data-text-")) element.setAttribute(name.slice(10), get(value));
        else if (name === "data-languages") element.replaceChildren(...Object.entries(languages).map(languageButton));
      }
    }
  }

  const languageButton = ([code, name]) => (
    button(element("span", "language-name", name), () => change(code), { lang: code, title: name, "aria-pressed": code === language }));

  document.documentElement.lang = language;
  fill(document);

  return { get, list, number, percent };
})();
