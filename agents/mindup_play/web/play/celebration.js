"use strict";

// A victory of the person: shapes of the cards fall over the page, unless motion is reduced.
const Celebration = (() => {
  const COLOURS = ["orange", "pink", "blue", "green", "purple"];
  const COUNT = 60;

  function start(root) {
    if (Animations.reduced()) return;
    const made = Cards.element("div", "celebration");
    made.setAttribute("aria-hidden", "true");
    for (let each = 0; each < COUNT; each += 1) made.append(piece(each));
    root.append(made);
    setTimeout(() => made.remove(), 5000);
  }

  function piece(index) {
    const colour = COLOURS[index % COLOURS.length];
    const made = Cards.element("span", `piece ${colour}`);
    made.append(Cards.shape(colour));
    made.style.left = `${Math.random() * 100}%`;
    const turn = `${Math.round(Math.random() * 720 - 360)}deg`;
    made.animate(
      [{ transform: "translateY(-10vh)" }, { transform: `translateY(110vh) rotate(${turn})` }],
      { duration: 2200 + Math.random() * 2200, delay: Math.random() * 500, easing: "cubic-bezier(.3, .2, .7, 1)", fill: "both" },
    );
    return made;
  }

  return { start };
})();
