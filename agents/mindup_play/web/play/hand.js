"use strict";

// The person's hand: one card of it can be chosen, by mouse, touch or keys, and then played.
const Hand = (() => {
  const { element, print, name, worth } = Cards;
  const root = document.getElementById("cards");
  const button = document.getElementById("play");
  let chosen = null;
  let waiting = false;
  let reason = ""; // in words, on the button
  let onPlay = () => {};

  const faces = () => [...root.children];
  const number = (face) => Number(face.dataset.card);

  function draw(deck, { known, hidden }) {
    const cards = [...known, ...hidden].sort((one, other) => one - other);
    if (!cards.includes(chosen)) chosen = null;
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...cards.map((card, place) => {
      const face = print(element("button"), deck, card);
      face.type = "button";
      face.dataset.card = card;
      face.setAttribute("role", "radio");
      const seen = known.includes(card);
      face.setAttribute("aria-label", name(deck, card) + (seen ? ", the others know it" : ""));
      face.classList.toggle("seen", seen);
      if (place < 9) face.append(element("kbd", "", place + 1));
      // A second click plays; keys have Enter, and a space only chooses.
      face.addEventListener("click", ({ detail }) => (chosen === card && detail > 0 ? play() : choose(card)));
      return face;
    }));
    mark();
    if (focused) focus();
  }

  const focus = () => root.querySelector("[tabindex='0']")?.focus({ preventScroll: true });

  function mark() {
    faces().forEach((face, place) => {
      const mine = number(face) === chosen;
      face.setAttribute("aria-checked", mine);
      face.tabIndex = mine || (chosen === null && place === 0) ? 0 : -1;
    });
    button.disabled = waiting || chosen === null;
    button.textContent = chosen === null ? "Choose a card" : `Play ${chosen}`;
    if (reason) button.textContent = reason;
  }

  function choose(card) {
    if (waiting) return;
    chosen = card;
    mark();
    faces().find((face) => number(face) === card)?.focus();
  }

  function step(by) {
    const cards = faces().map(number);
    const place = cards.indexOf(chosen);
    const next = place < 0 ? (by > 0 ? 0 : cards.length - 1) : (place + by + cards.length) % cards.length;
    if (cards.length) choose(cards[next]);
  }

  function play() {
    if (chosen !== null && !waiting) onPlay(chosen);
  }

  // What a bot would do: its card, and what it makes of each.
  function advise(hint) {
    faces().forEach((face) => {
      face.querySelector(".advice")?.remove();
      face.classList.toggle("advised", number(face) === hint?.card);
      const value = hint?.weighing?.values[number(face)];
      if (value === undefined) return;
      face.append(element("span", "advice", worth(hint.weighing.unit, value)));
    });
  }

  function key(event) {
    if (event.target.closest("header")) return false;
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const cards = faces().map(number);
    if (event.key in steps) step(steps[event.key]);
    else if (event.key === "Home") choose(cards[0]);
    else if (event.key === "End") choose(cards.at(-1));
    else if (event.key >= "1" && event.key <= "9" && event.key <= String(cards.length)) choose(cards[event.key - 1]);
    else if (event.key === "Enter" && !event.repeat && !event.target.closest("button:not([role=radio])")) play();
    else return false;
    return true;
  }

  function wait(now, why = "") {
    [waiting, reason] = [now, why];
    root.ariaDisabled = String(now);
    mark();
  }

  button.addEventListener("click", play);

  return { draw, advise, key, wait, focus, set onPlay(handler) { onPlay = handler; } };
})();
