"use strict";

// The probability that each card of the player whose view is shown takes each prize of the row, from
// what that player can know.
const Forecast = (() => {
  const { section, smallCard } = Figures;
  const turns = new Map(); // what the server answered, by turn
  let wanted = ""; // the turn and the seat that are shown, if the answer is late

  function cell(share) {
    const made = element("span", "share", Texts.percent(share));
    made.style.setProperty("--share", share);
    return made;
  }

  function tableOf(cards, row) {
    const rows = Object.entries(cards)
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([card, shares]) => Tables.row(smallCard(Number(card)), shares.map(cell)));
    const heads = [Texts.get("forecast.plays"), ...row.map(({ prize }) => smallCard(prize))];
    return Tables.table("figures", heads, rows);
  }

  function show(...content) {
    at("forecast").replaceWith(section("forecast", Texts.get("forecast.title"), ...content));
  }

  const note = (key, values) => element("p", "note", Texts.get(key, values));

  // `seed` is that of the game, if it has one; `viewer` is the seat whose view is shown, if it is one.
  async function draw(seed, turn, viewer, onError) {
    wanted = `${turn} ${viewer}`;
    const asked = wanted;
    const { over, row } = Replay.tables[turn];
    if (typeof viewer !== "number" || over) {
      show(note(over ? "review.no_choice" : "forecast.choose_view"));
      return;
    }
    if (!turns.has(turn)) {
      show(note("forecast.working"));
      turns.set(turn, Server.get(`forecast?seed=${seed ?? ""}&turn=${turn}`));
    }
    try {
      const seats = await turns.get(turn);
      if (wanted === asked) show(tableOf(seats[viewer], row), note("forecast.note", { name: Replay.names[viewer] }));
    } catch (error) {
      turns.delete(turn);
      onError(error);
    }
  }

  return { draw };
})();
