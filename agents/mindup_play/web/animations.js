// Moves cards from their old places to their new ones. The table is drawn anew each time: a card is
// found again by its number, and a card that was face down by the player who plays it.

const EASING = "cubic-bezier(.3, 0, .1, 1)";
const CARDS = "[data-card], [data-played-by]";
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const endPause = new Set(); // one function for each pause that is under way
let skipping = false;
let factor = 1; // of all durations

export const setFactor = (to) => { factor = to; };
export const isReduced = () => reducedMotion.matches;

// Whether the tables are drawn without moving cards.
export const isInstant = () => reducedMotion.matches || skipping || factor === 0;

function findPlaces(root) {
  const places = new Map();
  for (const found of root.querySelectorAll(CARDS)) {
    const { card, playedBy } = found.dataset;
    const place = found.getBoundingClientRect();
    if (card) places.set(`card ${card}`, place);
    if (playedBy) places.set(`player ${playedBy}`, place);
  }
  for (const hand of root.querySelectorAll(".panel .hand-cards")) {
    const { left, top, height } = hand.getBoundingClientRect();
    const place = new DOMRect(left, top, height * 0.7, height);
    places.set(`hand ${hand.parentElement.dataset.player}`, place);
  }
  return places;
}

function oldPlace({ card, playedBy }, before) {
  const keys = [`card ${card}`, `player ${playedBy}`, `hand ${playedBy}`];
  return before.get(keys.find((key) => before.has(key)));
}

// The keyframes of a card: a move, a turn from back to face, or null for a card at rest.
function keyframes(moving, from, to, turned) {
  const [x, y] = [from.left - to.left, from.top - to.top];
  const moved = Math.abs(x) + Math.abs(y) >= 1;
  if (!moved && !turned) return null;
  moving.style.transformOrigin = moved ? "top left" : "";
  const flat = "perspective(500px)";
  if (!moved) return [{ transform: `${flat} rotateY(90deg)` }, { transform: flat }];
  const scale = Math.min(from.width / to.width, from.height / to.height * 2, 3);
  return [
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
    { transform: "none", zIndex: 5 },
  ];
}

// Calls `draw`, moves the cards, and resolves when all have arrived.
export async function transition(root, draw, milliseconds) {
  if (isInstant()) {
    draw();
    return;
  }
  const before = findPlaces(root);
  draw();
  const timing = { duration: factor * milliseconds, easing: EASING };
  const moves = [...root.querySelectorAll(CARDS)].map((moving) => {
    const from = oldPlace(moving.dataset, before);
    const to = moving.getBoundingClientRect();
    if (!from || !to.width) return null;
    const { card } = moving.dataset;
    const frames = keyframes(moving, from, to, card && !before.has(`card ${card}`));
    return frames && moving.animate(frames, timing).finished;
  });
  await Promise.allSettled(moves);
}

// Infinity waits for `skip`.
export function pause(milliseconds) {
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
export function skip() {
  skipping = true;
  for (const end of [...endPause]) end();
  for (const animation of document.getAnimations()) animation.finish();
}

export const resume = () => { skipping = false; };
