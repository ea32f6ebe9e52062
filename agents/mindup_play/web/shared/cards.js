// Cards as elements. Each colour has a shape too, for people who cannot tell the colours apart.
const Cards = (() => {
  const SHAPES = {
    orange: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z",
    pink: "M12 21C5 15.5 2 12 2 8.2C2 5.200 4.300 3 7 3c2 0 3.800 1 5 3c1.200-2 3-3 5-3"
      + "c2.700 0 5 2.200 5 5.200C22 12 19 15.500 12 21z",
    blue: "M12 1.500L21 12L12 22.500L3 12z",
    green: "M12 2.500L22.500 20.500H1.500z",
    purple: "M12 1.500l3.100 7.100l7.700.7l-5.800 5.100l1.700 7.600L12 18l-6.700 4l1.700-7.600"
      + "L1.200 9.300l7.700-.7z",
  };

  const shape = (colour) => svgElement(
    "svg",
    { viewBox: "0 0 24 24", class: "shape", "aria-hidden": "true" },
    svgElement("path", { d: SHAPES[colour] }),
  );

  const signed = (points) => (points < 0 ? `\u2212${-points}` : `+${points}`);

  // A bot's value of a card: points, or a probability.
  const formatValue = (unit, value) => (unit.includes("points")
    ? Texts.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    : Texts.percent(value, value < 0.095 ? 1 : 0));

  // As in "33 pink, minus 1".
  function name(deck, number) {
    const { colour, points } = deck[number - 1];
    const bonus = points === 0 ? "" : `, ${points < 0 ? "minus" : "plus"} ${Math.abs(points)}`;
    return `${number} ${colour}${bonus}`;
  }

  // The face of a card as an element of any kind.
  function face(tag, deck, number, attributes) {
    const { colour, points } = deck[number - 1];
    const made = element(
      tag,
      { class: `card ${colour}`, "aria-label": name(deck, number), ...attributes },
      element("span", "number", number),
      shape(colour),
    );
    if (points !== 0) made.append(element("span", points < 0 ? "points negative" : "points", signed(points)));
    return made;
  }

  // animations.js finds a tracked card again by its number: each card is on the table once.
  const card = (deck, number, tracked = true) => (
    face("div", deck, number, { role: "img", ...(tracked && { "data-card": number }) }));

  const back = (label) => element("div", { class: "card back", role: "img", "aria-label": label });

  return { shape, face, card, back, name, signed, formatValue };
})();
