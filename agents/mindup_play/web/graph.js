// A graph of a number of every player after every turn. A click goes to that turn.
import { svgElement } from "./page.js";

const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [640, 62, 200, 14, 30];

const tickStep = (range) => (
  [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50].find((step) => range / step <= 5) ?? 100);

// Names that begin alike, such as those of one run, differ at their ends.
const shortened = (text) => (
  text.length > 20 ? `${text.slice(0, 8)}\u2026${text.slice(-11)}` : text);

// The heights of the labels at the ends of the lines, moved apart where they would overlap.
function labelHeights(ends, lowest, distance) {
  const order = ends.map((_, player) => player).sort((one, other) => ends[one] - ends[other]);
  const heights = [...ends];
  for (const [rank, player] of order.entries()) {
    if (rank) heights[player] = Math.max(ends[player], heights[order[rank - 1]] + distance);
  }
  let limit = lowest;
  for (const player of order.reverse()) {
    heights[player] = Math.min(heights[player], limit);
    limit = heights[player] - distance;
  }
  return heights;
}

// `series` has the values of each player, from turn 0 on; null where there is none. `content` says
// how: shown (the turn of the cursor), last (turn), names, rounds (the turns that ended one),
// format, range, label, axis, height, labelHeight, and dots, [{seat, turn}].
export function draw(series, content, onPick) {
  const { shown, last, names, rounds, format, label, axis = "", dots = [] } = content;
  const { height = 270, labelHeight = 19 } = content;
  const values = series.flat().filter((value) => value !== null);
  const [lowest, highest] = content.range ?? [Math.min(0, ...values), Math.max(1, ...values)];
  const bottom = height - BOTTOM;
  const right = WIDTH - RIGHT;
  const x = (turn) => LEFT + (right - LEFT) * (last ? turn / last : 0);
  const y = (value) => bottom - (bottom - TOP) * (value - lowest) / (highest - lowest);
  const line = (name, x1, x2, y1, y2) => svgElement("line", { class: name, x1, x2, y1, y2 });
  const text = (name, at, anchor, content_) => (
    svgElement("text", { class: name, x: at[0], y: at[1], "text-anchor": anchor }, content_));
  const step = tickStep(highest);
  const ticks = Array.from({ length: Math.floor(highest / step) + 1 }, (_, place) => place * step);
  const ends = series.map((each) => each.findLast((value) => value !== null) ?? 0);
  const heights = labelHeights(ends.map(y), bottom, labelHeight);
  const svg = svgElement(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label },
    ticks.map((value) => [
      line("grid", LEFT, right, y(value), y(value)),
      text("tick", [LEFT - 6, y(value) + 4], "end", format(value)),
    ]).flat(),
    rounds.map((turn) => line("round", x(turn), x(turn), TOP, bottom)),
    text("tick", [(LEFT + right) / 2, height - 6], "middle", axis),
    series.flatMap((each, player) => {
      const points = each.map((value, turn) => value !== null && `${x(turn)},${y(value)}`);
      const name = shortened(`${format(ends[player])} ${names[player]}`);
      return [
        svgElement("polyline",
          { class: `line player-${player}`, points: points.filter(Boolean).join(" ") }),
        text(`name player-${player}`, [right + 8, heights[player] + 4], "start", name),
      ];
    }),
    dots.map(({ seat, turn }) => svgElement("circle", {
      class: `dot player-${seat}`, cx: x(turn), cy: y(series[seat][turn]), r: 4.5,
    })),
    line("cursor", x(shown), x(shown), TOP, bottom),
  );
  svg.addEventListener("click", ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const share = ((clientX - box.left) / box.width * WIDTH - LEFT) / (right - LEFT);
    onPick(Math.round(Math.min(Math.max(share, 0), 1) * last));
  });
  return svg;
}
