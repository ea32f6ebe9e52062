// Moves cards from their old places to their new ones. The table is drawn anew each time: a card is
// found again by its number, and a card that was face down by the player who plays it.
const Animations = (() => {
  const EASING = "cubic-bezier(.3, 0, .1, 1)";
  const CARDS = "[data-card], [data-played-by]";
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const endPause = new Set(); // one function for each pause that is under way
  let skipping = false;
  let factor = 1; // of all durations

  const cardKey = (number) => `card ${number}`;
  const playerKey = (player) => `player ${player}`;
  const handKey = (player) => `hand ${player}`;

  function findPlaces(root) {
    const places = new Map();
    for (const element of root.querySelectorAll(CARDS)) {
      const { card, playedBy } = element.dataset;
      const place = element.getBoundingClientRect();
      if (card) places.set(cardKey(card), place);
      if (playedBy) places.set(playerKey(playedBy), place);
    }
    for (const hand of root.querySelectorAll(".panel .hand-cards")) {
      const { left, top, height } = hand.getBoundingClientRect();
      places.set(handKey(hand.parentElement.dataset.player), new DOMRect(left, top, height * 0.7, height));
    }
    return places;
  }

  function oldPlace(element, before) {
    const { card, playedBy } = element.dataset;
    return before.get(cardKey(card))
      ?? (playedBy && (before.get(playerKey(playedBy)) ?? before.get(handKey(playedBy))));
  }

  // The keyframes of a card: a move, a turn from back to face, or null for a card at rest.
  function keyframes(element, from, to, turned) {
    const [x, y] = [from.left - to.left, from.top - to.top];
    const moved = Math.abs(x) + Math.abs(y) >= 1;
    if (!moved && !turned) return null;
    element.style.transformOrigin = moved ? "top left" : "";
    if (!moved) return [{ transform: "perspective(500px) rotateY(90deg)" }, { transform: "perspective(500px)" }];
    const scale = Math.min(from.width / to.width, from.height / to.height * 2, 3);
    return [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ];
  }

  // Calls `draw`, moves the cards, and resolves when all have arrived.
  async function transition(root, draw, milliseconds) {
    if (instant()) {
      draw();
      return;
    }
    const before = findPlaces(root);
    draw();
    const moves = [];
    for (const element of root.querySelectorAll(CARDS)) {
      const from = oldPlace(element, before);
      const to = element.getBoundingClientRect();
      if (!from || !to.width) continue;
      const turned = element.dataset.card && !before.has(cardKey(element.dataset.card));
      const frames = keyframes(element, from, to, turned);
      if (frames) moves.push(element.animate(frames, { duration: factor * milliseconds, easing: EASING }).finished);
    }
    await Promise.allSettled(moves);
  }

  // Whether the tables are drawn without moving cards.
  const instant = () => reducedMotion.matches || skipping || factor === 0;

  // Infinity waits for `skip`.
  function pause(milliseconds) {
    if (skipping || milliseconds * factor === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        endPause.delete(end);
        resolve();
      };
      const timer = milliseconds === Infinity ? null : setTimeout(end, factor * milliseconds);
      endPause.add(end);
    });
  }

  // Ends all animations and pauses, and those to come until `resume`.
  function skip() {
    skipping = true;
    for (const end of [...endPause]) end();
    for (const animation of document.getAnimations()) animation.finish();
  }

  const resume = () => { skipping = false; };
  const setFactor = (to) => { factor = to; };

  return { transition, pause, skip, resume, instant, setFactor, reduced: () => reducedMotion.matches };
})();
