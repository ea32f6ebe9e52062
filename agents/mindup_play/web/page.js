// Elements, dialogs, numbers in texts, and requests to the server.

export const at = (id) => document.getElementById(id);

// `attributes` are classes, or several attributes by their names. What is false or null is left
// out of attributes and content; so is an empty text. Content can be nested lists.
export const element = (tag, attributes, ...content) => (
  filled(document.createElement(tag), attributes, content));

export const svgElement = (tag, attributes, ...content) => (
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content));

export function button(content, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, content);
  made.addEventListener("click", onClick);
  return made;
}

// Before the name of a player: its initial, in its colour.
export const mark = (names, player) => element("span", {
  class: `mark player-${player}`, "aria-hidden": "true", "data-initial": names[player][0] });

function filled(made, attributes = "", content = []) {
  const named = typeof attributes === "string" ? { class: attributes } : attributes;
  const isGiven = (value) => value !== false && value !== null && value !== undefined;
  for (const [name, value] of Object.entries(named)) {
    if (isGiven(value)) made.setAttribute(name, value);
  }
  const parts = content.flat(Infinity).filter((each) => isGiven(each) && each !== "");
  made.append(...parts.map((each) => (typeof each === "number" ? number(each) : each)));
  return made;
}

// Resolves with the value of the button that closes the dialog. Its title has the focus, so that a
// key that is pressed too often does nothing.
export function openDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector("[tabindex]").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

// With a minus, not a hyphen, and none before 0.
export const number = (value, options) => (
  value.toLocaleString("en", { signDisplay: "negative", ...options }).replace("-", "\u2212"));

export const decimals = (value, digits, options) => (
  number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, ...options }));

export const signed = (value) => (value < 0 ? `\u2212${-value}` : `+${value}`);

export const percent = (share, digits = 0) => decimals(share, digits, { style: "percent" });

// "2 points"
export const counted = (count, word) => (
  `${number(count)} ${word}${Math.abs(count) === 1 ? "" : "s"}`);

export const list = (items) => new Intl.ListFormat("en").format(items);

// The answer of the server. An error has a text for the user, and the status of the answer.
async function request(path, options) {
  let response;
  let answer;
  try {
    response = await fetch(path, options);
    answer = await response.json();
  } catch {
    throw new Error("The server does not answer. Start the command again, and open the address"
      + " that it prints.");
  }
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

export const get = (path, query = {}) => (
  request(Object.keys(query).length ? `${path}?${new URLSearchParams(query)}` : path));

export const post = (path, body) => request(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

// A change of the current game names the turn that it is for.
export const change = (path, { game_id: game, turns_played: turn }, body) => (
  post(path, { game, turn, ...body }));

// Between two requests for what is not ready yet.
export const pause = () => new Promise((resolve) => { setTimeout(resolve, 400); });

export const showError = (error) => { at("error").textContent = error.message; };
