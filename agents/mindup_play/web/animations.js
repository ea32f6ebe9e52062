// Moves cards from their old places to their new ones. The table is drawn anew each time: a card is
// found again by its number, and a card that was face down by the player who plays it.

const CARDS = "[data-card], [data-played-by]";
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
let endPause = null; // of the latest pause
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

// Null for a card at rest.
function move(moving, from, timing) {
  const to = moving.getBoundingClientRect();
  if (!from || !to.width) return null;
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) + Math.abs(y) < 1) return null;
  moving.style.transformOrigin = "top left";
  const scale = Math.min(from.width / to.width, from.height / to.height * 2, 3);
  return moving.animate([
    { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
    { transform: "none", zIndex: 5 },
  ], timing).finished;
}

// Calls `draw`, moves the cards, and resolves when all have arrived.
export async function transition(root, draw, milliseconds) {
  if (isInstant()) {
    draw();
    return;
  }
  const before = findPlaces(root);
  draw();
  const easing = getComputedStyle(root).getPropertyValue("--curve");
  const timing = { duration: factor * milliseconds, easing };
  await Promise.allSettled([...root.querySelectorAll(CARDS)].map((moving) => (
    move(moving, oldPlace(moving.dataset, before), timing))));
}

// Infinity waits for `skip`.
export function pause(milliseconds) {
  if (skipping) return Promise.resolve();
  return new Promise((resolve) => {
    endPause = resolve;
    if (milliseconds !== Infinity) setTimeout(resolve, factor * milliseconds);
  });
}

// Ends all animations and pauses, and those to come until `resume`.
export function skip() {
  skipping = true;
  endPause?.();
  for (const animation of document.getAnimations()) animation.finish();
}

export const resume = () => { skipping = false; };
