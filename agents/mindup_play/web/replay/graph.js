"use strict";

// A graph of every player's score after every turn. A click goes to that turn.
const Graph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 270, 40, 176, 12, 26];
  const LABEL_HEIGHT = 17;

  function part(tag, attributes, text = "") {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  }

  const tickStep = (highest) => [1, 2, 5, 10, 20, 50].find((step) => highest / step <= 6) ?? 100;

  // The heights of the labels at the ends of the lines, moved apart where they would overlap.
  function labelHeights(ends) {
    const order = ends.map((_, player) => player).sort((one, other) => ends[one] - ends[other]);
    const heights = [...ends];
    order.forEach((player, rank) => {
      if (rank) heights[player] = Math.max(heights[player], heights[order[rank - 1]] + LABEL_HEIGHT);
    });
    const excess = Math.max(0, heights[order.at(-1)] - (HEIGHT - BOTTOM));
    return heights.map((height) => height - excess);
  }

  // Returns a function that moves the cursor to a turn.
  function draw(root, tables, names, onPick) {
    const last = tables.length - 1;
    const totals = names.map((_, player) => tables.map(({ players }) => players[player].total));
    const highest = Math.max(1, ...totals.flat());
    const lowest = Math.min(0, ...totals.flat());
    const x = (turn) => LEFT + (WIDTH - LEFT - RIGHT) * (last ? turn / last : 0);
    const y = (points) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - lowest) / (highest - lowest);
    const svg = part("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": Texts.get("replay.graph") });
    const step = tickStep(highest);
    for (let points = 0; points <= highest; points += step) {
      svg.append(
        part("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points) }),
        part("text", { class: "tick", x: LEFT - 6, y: y(points) + 4, "text-anchor": "end" }, points),
      );
    }
    tables.forEach(({ last_turn: turn }, index) => {
      if (turn?.scored_tableaux) svg.append(part("line", { class: "round", x1: x(index), x2: x(index), y1: TOP, y2: HEIGHT - BOTTOM }));
    });
    svg.append(part("text", { class: "tick", x: (x(0) + x(last)) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, Texts.get("replay.graph_axis")));
    const heights = labelHeights(totals.map((scores) => y(scores[last])));
    totals.forEach((scores, player) => {
      const points = scores.map((score, turn) => `${x(turn)},${y(score)}`).join(" ");
      svg.append(
        part("polyline", { class: `line player-${player}`, points }),
        part("text", { class: `name player-${player}`, x: WIDTH - RIGHT + 8, y: heights[player] + 4 }, `${scores[last]} ${names[player]}`.slice(0, 18)),
      );
    });
    const cursor = part("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
    svg.append(cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
      onPick(Math.round(Math.min(Math.max(share, 0), 1) * last));
    });
    root.replaceChildren(svg);
    return (turn) => {
      cursor.setAttribute("x1", x(turn));
      cursor.setAttribute("x2", x(turn));
    };
  }

  return { draw };
})();
