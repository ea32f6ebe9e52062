"use strict";

// The person's hand: one card can be chosen, by mouse, touch or keys, and then played.
const Hand = (() => {
  const { element, drawFace, name, formatValue } = Cards;
  const root = document.getElementById("cards");
  const button = document.getElementById("play");
  let chosen = null;
  let locked = false;
  let lockText = ""; // replaces the text of the button
  let onPlay = () => {};

  const faces = () => [...root.children];
  const numberOf = (face) => Number(face.dataset.card);

  function draw(deck, { known, hidden }) {
    const cards = [...known, ...hidden].sort((one, other) => one - other);
    if (!cards.includes(chosen)) chosen = null;
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...cards.map((card, index) => {
      const face = drawFace(element("button"), deck, card);
      face.type = "button";
      face.dataset.card = card;
      face.setAttribute("role", "radio");
      const isKnown = known.includes(card);
      const text = name(deck, card);
      face.setAttribute("aria-label", isKnown ? Texts.get("play.known_card", { card: text }) : text);
      face.classList.toggle("known", isKnown);
      if (index < 9) face.append(element("kbd", "", index + 1));
      // A second click plays. For keys that is Enter: Space only chooses.
      face.addEventListener("click", ({ detail }) => (chosen === card && detail > 0 ? play() : choose(card)));
      return face;
    }));
    update();
    if (focused) focus();
  }

  const focus = () => root.querySelector("[tabindex='0']")?.focus({ preventScroll: true });

  function update() {
    faces().forEach((face, index) => {
      const isChosen = numberOf(face) === chosen;
      face.setAttribute("aria-checked", isChosen);
      face.tabIndex = isChosen || (chosen === null && index === 0) ? 0 : -1;
    });
    button.disabled = locked || chosen === null;
    button.textContent = chosen === null ? Texts.get("play.choose_card") : Texts.get("play.play_card", { card: chosen });
    if (lockText) button.textContent = lockText;
  }

  function choose(card) {
    if (locked) return;
    chosen = card;
    update();
    faces().find((face) => numberOf(face) === card)?.focus();
  }

  function step(by) {
    const cards = faces().map(numberOf);
    const index = cards.indexOf(chosen);
    const next = index < 0 ? (by > 0 ? 0 : cards.length - 1) : (index + by + cards.length) % cards.length;
    if (cards.length) choose(cards[next]);
  }

  function play() {
    if (chosen !== null && !locked) onPlay(chosen);
  }

  // Marks the card that a bot would play, and shows its value of each card.
  function showHint({ card, evaluation }) {
    faces().forEach((face) => {
      face.querySelector(".hint-value")?.remove();
      face.classList.toggle("hinted", numberOf(face) === card);
      const value = evaluation?.values[numberOf(face)];
      if (value === undefined) return;
      face.append(element("span", "hint-value", formatValue(evaluation.unit, value)));
    });
  }

  // Whether the key was one of the hand's.
  function handleKey(event) {
    if (event.target.closest("header")) return false;
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const cards = faces().map(numberOf);
    if (event.key in steps) step(steps[event.key]);
    else if (event.key === "Home") choose(cards[0]);
    else if (event.key === "End") choose(cards.at(-1));
    else if (event.key >= "1" && event.key <= "9" && event.key <= String(cards.length)) choose(cards[event.key - 1]);
    else if (event.key === "Enter" && !event.repeat && !event.target.closest("button:not([role=radio])")) play();
    else return false;
    return true;
  }

  function lock(now, text = "") {
    [locked, lockText] = [now, text];
    root.ariaDisabled = String(now);
    update();
  }

  button.addEventListener("click", play);

  return { draw, showHint, handleKey, lock, focus, set onPlay(handler) { onPlay = handler; } };
})();
