"use strict";

// Moves cards from where they were to where they are. The table is drawn anew each time; a card is
// found again by its number, and one that was face down by the player whose card it is.
const Motion = (() => {
  const CURVE = "cubic-bezier(.3, 0, .1, 1)";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let hurry = false;

  const keysOf = (element) => [element.dataset.card, element.dataset.by && `by ${element.dataset.by}`];

  function lookAt(root) {
    const found = new Map();
    for (const element of root.querySelectorAll("[data-card], [data-by]")) {
      const place = element.getBoundingClientRect();
      for (const key of keysOf(element)) if (key) found.set(key, place);
    }
    for (const held of root.querySelectorAll(".panel .held")) {
      found.set(`hand ${held.parentElement.dataset.player}`, held.getBoundingClientRect());
    }
    return found;
  }

  function origin(element, before) {
    const { card, by } = element.dataset;
    return before.get(card) ?? (by && (before.get(`by ${by}`) ?? before.get(`hand ${by}`)));
  }

  // Draws by `draw`, and resolves when all cards have arrived.
  async function between(root, draw, milliseconds) {
    if (calm.matches || hurry) {
      draw();
      return;
    }
    const before = lookAt(root);
    draw();
    const moves = [];
    for (const element of root.querySelectorAll("[data-card], [data-by]")) {
      const from = origin(element, before);
      const to = element.getBoundingClientRect();
      if (!from || !to.width) continue;
      const [x, y] = [from.left - to.left, from.top - to.top];
      const turned = element.dataset.card && !before.has(element.dataset.card);
      if (Math.abs(x) + Math.abs(y) < 1 && !turned) continue;
      const small = Math.min(from.width / to.width, from.height / to.height * 2, 3);
      const frames = turned && Math.abs(x) + Math.abs(y) < 1
        ? [{ transform: "perspective(500px) rotateY(90deg)" }, { transform: "perspective(500px)" }]
        : [{ transform: `translate(${x}px, ${y}px) scale(${small})`, zIndex: 5 },
          { transform: "none", zIndex: 5 }];
      element.style.transformOrigin = turned && Math.abs(x) + Math.abs(y) < 1 ? "" : "top left";
      moves.push(element.animate(frames, { duration: milliseconds, easing: CURVE }).finished);
    }
    await Promise.allSettled(moves);
  }

  const stops = new Set();

  function pause(milliseconds) {
    if (hurry) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        stops.delete(stop);
        resolve();
      };
      const timer = setTimeout(stop, milliseconds);
      stops.add(stop);
    });
  }

  // Whoever has seen enough: all that is in motion arrives now, until `rest`.
  function skip() {
    hurry = true;
    for (const stop of [...stops]) stop();
    for (const animation of document.getAnimations()) animation.finish();
  }

  function rest() {
    hurry = false;
  }

  return { between, pause, skip, rest, calm: () => calm.matches };
})();
