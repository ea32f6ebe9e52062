// The person's hand: a group of radio buttons, in a form that plays the chosen card.
import * as Cards from "./cards.js";
import { at, element } from "./page.js";

const form = at("hand");
const root = at("cards");
let waiting = ""; // replaces the text of the button

const inputs = () => [...root.querySelectorAll("input")];
const chosen = () => inputs().find(({ checked }) => checked);

export function draw(deck, { known, hidden }) {
  const before = chosen()?.value;
  const hadFocus = root.contains(document.activeElement);
  const cards = [...known, ...hidden].sort((one, other) => one - other);
  root.replaceChildren(...cards.map((card, index) => {
    const isKnown = known.includes(card);
    const label = `${Cards.name(deck, card)}${isKnown ? ", the others know it" : ""}`;
    const face = Cards.face(deck, card, { "data-card": card, title: isKnown && label });
    face.classList.toggle("known", isKnown);
    const input = element("input", {
      type: "radio", name: "card", value: card, "aria-label": label,
      checked: String(card) === before && "",
    });
    face.prepend(input);
    if (index < 9) face.append(element("kbd", { "aria-hidden": "true" }, index + 1));
    return face;
  }));
  update();
  if (hadFocus) focus();
}

export const focus = () => (chosen() ?? inputs()[0])?.focus({ preventScroll: true });

function update() {
  const card = chosen()?.value;
  at("play").disabled = root.disabled || !card;
  at("play").textContent = waiting || (card ? `Play ${card}` : "Choose a card");
}

// No card can be chosen until the hand is unlocked.
export function lock(now, text = "") {
  root.disabled = now;
  waiting = text;
  update();
}

// Digits choose a card, and arrow keys go to the hand when nothing has the focus; whether the key
// was one of these. The browser moves within the hand, and Enter submits the form.
export function handleKey({ key }) {
  const input = inputs()[key - 1];
  if (input) input.click();
  else if (!key.startsWith("Arrow") || document.activeElement !== document.body) return false;
  (input ?? chosen() ?? inputs()[0])?.focus();
  return true;
}

// Marks the card that a bot would play, and shows its value of each card.
export function showHint({ card, evaluation }) {
  for (const face of root.children) {
    const number = Number(face.dataset.card);
    face.classList.toggle("hinted", number === card);
    const value = evaluation?.values[number];
    if (value === undefined) continue;
    face.append(element("span", "hint-value", Cards.formatValue(evaluation.unit, value)));
  }
}

export function start(onPlay) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!root.disabled && chosen()) onPlay(Number(chosen().value));
  });
  root.addEventListener("change", update);
}
