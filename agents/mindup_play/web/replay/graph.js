// A graph of a number of every player after every turn. A click goes to that turn.
const Graph = (() => {
  const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [640, 62, 200, 14, 30];

  const tickStep = (range) => (
    [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50].find((step) => range / step <= 5) ?? 100);

  // Names that begin alike, such as those of one run, differ at their ends.
  const shortened = (text) => (text.length > 20 ? `${text.slice(0, 8)}\u2026${text.slice(-11)}` : text);

  // The heights of the labels at the ends of the lines, moved apart where they would overlap.
  function labelHeights(ends, lowest, distance) {
    const order = ends.map((_, player) => player).sort((one, other) => ends[one] - ends[other]);
    const heights = [...ends];
    for (const [rank, player] of order.entries()) {
      if (rank) heights[player] = Math.max(heights[player], heights[order[rank - 1]] + distance);
    }
    let limit = lowest;
    for (const player of order.reverse()) {
      heights[player] = Math.min(heights[player], limit);
      limit = heights[player] - distance;
    }
    return heights;
  }

  // `series` has the values of each player, from turn 0 on; null where there is none. `content` says
  // how: shown (the turn of the cursor), last (turn), names, rounds (the turns that ended one), format,
  // range, label, axis, height, labelHeight, and dots, [{player, turn}].
  function draw(series, content, onPick) {
    const { shown, last, names, rounds, format, label, axis, height = 270, labelHeight = 19, dots = [] } = content;
    const values = series.flat().filter((value) => value !== null);
    const [lowest, highest] = content.range ?? [Math.min(0, ...values), Math.max(1, ...values)];
    const bottom = height - BOTTOM;
    const x = (turn) => LEFT + (WIDTH - LEFT - RIGHT) * (last ? turn / last : 0);
    const y = (value) => bottom - (bottom - TOP) * (value - lowest) / (highest - lowest);
    const upright = (classes, turn) => svgElement("line", { class: classes, x1: x(turn), x2: x(turn), y1: TOP, y2: bottom });
    const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
    for (let value = 0; value <= highest; value += tickStep(highest)) {
      svg.append(
        svgElement("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        svgElement("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, format(value)),
      );
    }
    svg.append(
      ...rounds.map((turn) => upright("round", turn)),
      svgElement("text", { class: "tick", x: (x(0) + x(last)) / 2, y: height - 6, "text-anchor": "middle" }, axis),
    );
    const ends = series.map((line) => line.findLast((value) => value !== null) ?? 0);
    const heights = labelHeights(ends.map(y), bottom, labelHeight);
    series.forEach((line, player) => {
      const points = line.flatMap((value, turn) => (value === null ? [] : [`${x(turn)},${y(value)}`]));
      svg.append(
        svgElement("polyline", { class: `line player-${player}`, points: points.join(" ") }),
        svgElement("text", { class: `name player-${player}`, x: WIDTH - RIGHT + 8, y: heights[player] + 4 },
          shortened(`${format(ends[player])} ${names[player]}`)),
      );
    });
    svg.append(
      ...dots.map(({ player, turn }) => (
        svgElement("circle", { class: `dot player-${player}`, cx: x(turn), cy: y(series[player][turn]), r: 4.5 }))),
      upright("cursor", shown),
    );
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
      onPick(Math.round(Math.min(Math.max(share, 0), 1) * last));
    });
    return svg;
  }

  return { draw };
})();
