"use strict";

// What the review says about the turn that is shown: the choices, what could be expected of the
// others, and how to play on from there.
const ReviewedTurn = (() => {
  const { percent } = Texts;
  const { change, section, smallCard, table } = Figures;
  const SECTIONS = { "this-turn": turnSection, others: othersSection, again: againSection };
  let review = null;
  let again = null; // how to try again: {command} in a file, {start} on the server
  let first = 0; // turns played before the record begins

  const choicesAt = (index) => review.choices.filter(({ turn }) => turn - first === index);
  const name = (seat) => Replay.names[seat];

  // The choices

  function choiceRow({ seat, played, best, win_probability: chance, cost, margin, mistake }) {
    // The estimate of a card that is as good as the best one may be on either side of 0.
    const costText = element("span", "", cost > 0 ? change(-cost) : "\u2013");
    if (played !== best) costText.title = Texts.get("review.margin", { margin: percent(margin, 1) });
    return Tables.row(name(seat), [percent(chance), smallCard(played), smallCard(best), costText], mistake ? "mistake" : "");
  }

  function turnSection(index) {
    const choices = choicesAt(index);
    const title = Texts.get("review.this_turn");
    if (!choices.length) return section("this-turn", title, element("p", "note", Texts.get("review.no_choice")));
    const heads = ["review.player", "review.chance", "review.played", "review.best", "review.cost"];
    return section("this-turn", title, table(heads, choices.map(choiceRow)));
  }

  // What a player could know of the others

  function unseenCards(index, seat) {
    const { players, row } = Replay.tables[index];
    const seen = new Set([...row.map(({ prize }) => prize), ...players[seat].hidden]);
    for (const { tableau, known } of players) [...tableau.flat(), ...known].forEach((card) => seen.add(card));
    return Replay.deck.map((_, card) => card + 1).filter((card) => !seen.has(card));
  }

  function othersSection(index, viewer) {
    const choice = choicesAt(index).find(({ seat }) => seat === viewer);
    if (!choice) return section("others", Texts.get("review.others"), element("p", "note", Texts.get("review.others_hint")));
    const rows = Object.entries(choice.expected).map(([seat, cards]) => {
      const likely = Object.entries(cards).sort(([, one], [, other]) => other - one);
      const chips = likely.map(([card, share]) => (
        element("span", "chip", smallCard(Number(card)), element("small", "", percent(share)))));
      return Tables.row(name(seat), [element("span", "chips", ...chips)]);
    });
    const unseen = unseenCards(index, viewer);
    const summary = element("summary", "", Texts.get("review.unseen", { count: unseen.length }));
    const details = element("details", "", summary, element("span", "chips", ...unseen.map(smallCard)));
    return section(
      "others",
      Texts.get("review.expected", { name: name(viewer) }),
      table(["review.player", "review.may_play"], rows),
      details,
    );
  }

  // Trying again

  function againSection(index, viewer) {
    const over = Replay.tables[index].over;
    const made = section("again", Texts.get("review.again"));
    made.append(element("p", "note", Texts.get(over ? "review.again_over" : "review.again_note")));
    if (over) return made;
    const seat = typeof viewer === "number" ? viewer : again.seat;
    if (again.command) made.append(element("code", "", `${again.command} --turn ${index + first} --seat ${seat}`));
    if (again.start) made.append(button(Texts.get("review.again_button"), () => again.start(index + first)));
    return made;
  }

  // `viewer` is the seat whose view is shown, if it is one.
  function draw(index, viewer) {
    for (const [id, made] of Object.entries(SECTIONS)) {
      at(id).replaceWith(made(index, viewer));
    }
  }

  // Its sections, empty until they are drawn.
  function start(...data) {
    [review, again, first] = data;
    return Object.keys(SECTIONS).map((id) => section(id, ""));
  }

  return { start, draw, choicesAt };
})();
