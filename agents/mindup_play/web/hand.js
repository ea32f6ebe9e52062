// The person's hand: one card can be chosen, by mouse, touch or keys, and then played, or dragged
// to the table, which plays it.
import { face as cardFace, formatValue } from "./cards.js";
import { isOn } from "./memory.js";
import { at, element } from "./page.js";

const DRAGGED = 12; // pixels; a pointer that moves less clicks
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const root = at("cards");
let chosen = null;
let dragged = false; // the card under the pointer, since that was pressed
let locked = false;
let lockText = ""; // replaces the text of the button
let [onPlay, onChoose] = [null, null];

const faces = () => [...root.children];
const numberOf = (face) => Number(face.dataset.card);

export function draw(deck, { known, hidden }) {
  const cards = [...known, ...hidden].sort((one, other) => one - other);
  if (!cards.includes(chosen)) chosen = null;
  const focused = root.contains(document.activeElement);
  root.replaceChildren(...cards.map((card, index) => {
    const face = cardFace("button", deck, card, {
      type: "button", "data-card": card, role: "radio",
    });
    if (known.includes(card)) {
      face.classList.add("known");
      face.title = face.ariaLabel = `${face.ariaLabel}, the others know it`;
    }
    if (index < 9) face.append(element("kbd", "", index + 1));
    face.addEventListener("click", ({ detail }) => click(card, detail));
    return face;
  }));
  update();
  if (focused) focus();
}

// A second click takes the choice back, unless the settings let one click play. For keys that is
// Enter: Space, which clicks without a place, only chooses.
function click(card, detail) {
  if (dragged && detail > 0) return;
  const plays = isOn("click-plays") && detail > 0;
  choose(chosen === card && !plays ? null : card);
  if (plays) play();
}

function takeBack() {
  if (chosen !== null) choose(null);
}

export const focus = () => root.querySelector("[tabindex='0']")?.focus({ preventScroll: true });

function update() {
  const focused = faces().indexOf(document.activeElement);
  faces().forEach((face, index) => {
    const isChosen = numberOf(face) === chosen;
    const isFirst = chosen === null && index === Math.max(focused, 0);
    face.setAttribute("aria-checked", isChosen);
    face.tabIndex = isChosen || isFirst ? 0 : -1;
  });
  at("play").disabled = locked || chosen === null;
  at("play").textContent = lockText || (chosen === null ? "Choose a card" : `Play ${chosen}`);
}

function choose(card) {
  if (locked) return;
  restore(card);
  onChoose(card);
  faces().find((face) => numberOf(face) === card)?.focus();
}

// Chooses a card of the hand again, as it was before a reload of the page; null is none.
export function restore(card) {
  if (card !== null && !faces().some((face) => numberOf(face) === card)) return;
  chosen = card;
  update();
}

function step(by) {
  const cards = faces().map(numberOf);
  const isFocused = (face, place) => place > 0 && face === document.activeElement;
  const index = chosen === null ? faces().findIndex(isFocused) : cards.indexOf(chosen);
  if (index < 0) choose(cards.at(by > 0 ? 0 : -1));
  else choose(cards[(index + by + cards.length) % cards.length]);
}

function play() {
  if (chosen !== null && !locked) onPlay(chosen);
}

// Dropped in the hand, the card stays there.
function startDrag({ target, button, pointerId, clientX: left, clientY: top }) {
  const face = target.closest("[data-card]");
  dragged = false;
  if (!face || locked || button) return;
  face.setPointerCapture(pointerId);
  face.onpointermove = ({ clientX, clientY }) => {
    const [x, y] = [clientX - left, clientY - top];
    dragged ||= Math.hypot(x, y) > DRAGGED;
    face.classList.toggle("dragged", dragged);
    if (dragged) face.style.translate = `${x}px ${y}px`;
  };
  face.onpointerup = face.onpointercancel = ({ type, clientY }) => {
    face.onpointermove = null;
    face.classList.remove("dragged");
    face.style.translate = "";
    const isAbove = clientY <= at("hand").getBoundingClientRect().top;
    if (!dragged || type === "pointercancel" || !isAbove) return;
    choose(numberOf(face));
    play();
  };
}

// Marks the card that a bot would play, and shows its value of each card.
export function showHint({ card, evaluation }) {
  for (const face of faces()) {
    face.querySelector(".hint-value")?.remove();
    face.classList.toggle("hinted", numberOf(face) === card);
    const value = evaluation?.values[numberOf(face)];
    if (value === undefined) continue;
    face.append(element("span", "hint-value", formatValue(evaluation.unit, value)));
  }
}

// Whether the key was one of the hand's.
export function handleKey({ key, repeat, target }) {
  const cards = faces().map(numberOf);
  if (key in STEPS) step(STEPS[key]);
  else if (key === "Home") choose(cards[0]);
  else if (key === "End") choose(cards.at(-1));
  else if (key === "Escape") takeBack();
  else if (key >= "1" && key <= "9" && key <= String(cards.length)) choose(cards[key - 1]);
  else if (key === "Enter" && !repeat && !target.closest("button:not([role=radio]), a")) play();
  else return false;
  return true;
}

export function lock(now, text = "") {
  [locked, lockText] = [now, text];
  root.ariaDisabled = String(now);
  update();
}

export const start = (...handlers) => { [onPlay, onChoose] = handlers; };

at("play").addEventListener("click", play);
root.addEventListener("pointerdown", startDrag);
at("board").addEventListener("click", ({ target }) => (
  target.closest("button, a, summary, select") || takeBack()));
