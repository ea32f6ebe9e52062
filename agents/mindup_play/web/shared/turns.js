// Points with their parts, as the server computed them: "+6 = 5 + 1".
const Points = (() => {
  const { signed } = Cards;

  // "12 + 1 − 2"
  function sum([first, ...rest]) {
    const terms = rest.map((points) => `${points < 0 ? "\u2212" : "+"} ${Math.abs(points)}`);
    return [first < 0 ? `\u2212${-first}` : first, ...terms].join(" ");
  }

  // "3 × 4 = 12"; a narrow column has room for the points alone.
  const product = (cards, value, points) => (
    element("span", "column-points", element("span", "product", `${cards} \u00d7 ${value} = `), points));

  // A card without bonus brings its score card alone.
  function text({ score_card: value, bonus, points }) {
    return bonus === 0 ? signed(points) : `${signed(points)} = ${sum([value, bonus])}`;
  }

  // The same as words, for screen readers and the narration.
  function words({ score_card: value, bonus, points }) {
    return `${signed(points)} from score card ${value}${bonus === 0 ? "" : ` and bonus ${signed(bonus)}`}`;
  }

  // "columns 12, bonus +1, objectives +2" of the score of a round.
  const parts = ({ colour_points: columns, bonus_points: bonus, objective_points: objectives }, withObjectives) => (
    `columns ${columns}, bonus ${signed(bonus)}${withObjectives ? `, objectives ${signed(objectives)}` : ""}`);

  const bubble = (placement) => (
    element("span", { class: placement.points < 0 ? "gain negative" : "gain", title: words(placement) }, text(placement)));

  return { sum, product, text, words, parts, bubble };
})();

// A turn that was played: who played which card, took which prize, and got which points.
const Turns = (() => {
  const plays = (turn, view) => element("ol", "turn-plays", ...turn.plays.map((play) => line(view, play.player, [
    Cards.card(view.deck, play.card, false),
    takes(),
    Cards.card(view.deck, play.prize, false),
    Points.bubble(play),
  ])));

  // "takes", or an arrow where there is little room.
  const takes = () => element("span", "takes",
    element("span", "wide", "takes"), element("span", { class: "narrow", "aria-hidden": "true" }, "\u2192"));

  // The cards left over at the end of a round, which go into their owners' tableaux.
  const lastCards = (turn, view) => (
    element("ol", "turn-plays last-cards", ...turn.last_cards.map((placed) => line(view, placed.player, [
      element("span", "takes", "last card"),
      Cards.card(view.deck, placed.card, false),
      Points.bubble(placed),
    ]))));

  const line = (view, player, cells) => element(
    "li", player === view.seat ? "own" : "", element("span", "player-name", view.names[player]), ...cells);

  // The parts of a section on a turn: the plays, and the last cards if it ended a round.
  const parts = (turn, view) => [plays(turn, view), ...(turn.last_cards ? [lastCards(turn, view)] : [])];

  return { parts };
})();
