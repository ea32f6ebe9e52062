"use strict";

// The score of every player after every turn. A click goes to that turn.
const Graph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 270, 40, 176, 12, 26];

  function part(kind, attributes, text = "") {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  }

  const stepOf = (most) => [1, 2, 5, 10, 20, 50].find((step) => most / step <= 6) ?? 100;

  // Labels at the ends of the lines, moved apart where they would overlap.
  function labelPlaces(ends) {
    const order = ends.map((_, player) => player).sort((one, other) => ends[one] - ends[other]);
    const places = [...ends];
    order.forEach((player, rank) => {
      if (rank) places[player] = Math.max(places[player], places[order[rank - 1]] + 17);
    });
    const over = Math.max(0, places[order.at(-1)] - (HEIGHT - BOTTOM));
    return places.map((place) => place - over);
  }

  function draw(root, moments, names, onPick) {
    const last = moments.length - 1;
    const totals = names.map((_, player) => moments.map(({ players }) => players[player].total));
    const most = Math.max(1, ...totals.flat());
    const least = Math.min(0, ...totals.flat());
    const x = (turn) => LEFT + (WIDTH - LEFT - RIGHT) * (last ? turn / last : 0);
    const y = (points) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - least) / (most - least);
    const svg = part("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Scores by turn" });
    const step = stepOf(most);
    for (let points = 0; points <= most; points += step) {
      svg.append(
        part("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points) }),
        part("text", { class: "tick", x: LEFT - 6, y: y(points) + 4, "text-anchor": "end" }, points),
      );
    }
    moments.forEach(({ last_turn: turn }, place) => {
      if (turn?.end) svg.append(part("line", { class: "round", x1: x(place), x2: x(place), y1: TOP, y2: HEIGHT - BOTTOM }));
    });
    svg.append(part("text", { class: "tick", x: (x(0) + x(last)) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "turns; a line ends a round"));
    const labels = labelPlaces(totals.map((scores) => y(scores[last])));
    totals.forEach((scores, player) => {
      const points = scores.map((score, turn) => `${x(turn)},${y(score)}`).join(" ");
      svg.append(
        part("polyline", { class: `line player-${player}`, points }),
        part("text", { class: `name player-${player}`, x: WIDTH - RIGHT + 8, y: labels[player] + 4 }, `${scores[last]} ${names[player]}`.slice(0, 18)),
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
