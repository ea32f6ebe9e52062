"use strict";

// Points with their parts, as the server computed them: "+6 = 5 + 1".
const Points = (() => {
  const { element, signed } = Cards;

  // "12 + 1 − 2"
  function sum([first, ...rest]) {
    const terms = rest.map((points) => `${points < 0 ? "\u2212" : "+"} ${Math.abs(points)}`);
    return [first < 0 ? `\u2212${-first}` : first, ...terms].join(" ");
  }

  // "3 × 4 = 12"; a narrow column has room for the points alone.
  function product(cards, value, points) {
    const made = element("span", "column-points", points);
    made.prepend(element("span", "product", `${cards} \u00d7 ${value} = `));
    return made;
  }

  // A card without bonus brings its score card alone.
  function text({ score_card: value, bonus, points }) {
    return bonus === 0 ? signed(points) : `${signed(points)} = ${sum([value, bonus])}`;
  }

  // The same as words, for screen readers and the narration.
  function words({ score_card: value, bonus, points }) {
    const key = bonus === 0 ? "points.score_card" : "points.score_card_bonus";
    return Texts.get(key, { points: signed(points), value, bonus: signed(bonus) });
  }

  const pill = (points, shown = signed(points)) => element("span", points < 0 ? "gain negative" : "gain", shown);

  function bubble(placement) {
    const made = pill(placement.points, text(placement));
    made.title = words(placement);
    return made;
  }

  return { sum, product, text, words, pill, bubble };
})();
