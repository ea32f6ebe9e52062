// The saved games on the new-game screen: unfinished ones go on, finished ones are looked at.
const SavedGames = (() => {
  // Draws all but those on the page, whose states these are; the last is the current game.
  function draw(games, onPage, dialog) {
    const others = games.filter(({ game_id: id }) => !onPage.some((each) => each.game_id === id));
    at("saved-games").replaceChildren(...others.map((game) => row(game, onPage, dialog)));
    at("no-saved-games").hidden = others.length > 0;
  }

  const row = (game, onPage, dialog) => element(
    "li",
    "saved-game",
    element("div", "", element("b", "", title(game)), element("small", "", details(game))),
    ...(game.readable ? [opener(game, dialog)] : []),
    remover(game, onPage, dialog),
  );

  function title({ readable, over, place, names, points, round, turn }) {
    if (!readable) return "This game cannot be read";
    const where = over ? `${Texts.ordinal(place)} of ${names.length}, ` : `Round ${round}, turn ${turn} \u00b7 `;
    return `${where}${Texts.points(points)}`;
  }

  function details({ readable, names, seat, saved_at }) {
    const time = new Date(saved_at * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
    if (!readable) return time;
    const others = names.filter((_, player) => player !== seat);
    return `${Texts.list(others)} · ${time}`;
  }

  // The dialog returns the id of the game to resume.
  function opener({ game_id: id, over }, dialog) {
    if (over) return element("a", { class: "button", href: `?game=${id}` }, "Look at it");
    return button("Continue", () => dialog.close(id));
  }

  function remover({ game_id: id }, onPage, dialog) {
    const title = "Delete";
    const made = button("\u2715", async () => {
      if (!confirm("Delete this game? It cannot be brought back.")) return;
      try {
        draw((await Turn.post("delete", onPage.at(-1), { saved_game: id })).games, onPage, dialog);
      } catch (error) {
        made.replaceWith(element("small", "failed", error.message));
      }
    }, { class: "delete", "aria-label": title, title });
    return made;
  }

  return { draw };
})();

// The new-game screen: players, objectives, seats with their bots, seed and hints of another game,
// filled in like the current game.
const NewGame = (() => {
  const [dialog, form] = [at("game-dialog"), at("game-form")];
  let bots = []; // what the server offers, the strongest first
  let opponents = []; // chosen for the seats after the person's

  const chosen = (name) => Number(form.elements[name].value);

  const radio = (name, value, text) => element(
    "label", "option", element("input", { type: "radio", name, value }), element("span", "", text));

  const botText = ({ bot, strength }) => (
    strength === null ? bot : `${bot} · ${strength}`);

  const canPlay = ({ players }) => players.includes(chosen("players"));

  // The chosen bot of a seat, or the strongest one if that cannot play with so many.
  const playing = (bot) => (bots.some((each) => each.bot === bot && canPlay(each)) ? bot : bots.find(canPlay).bot);

  function botOption(each) {
    const able = canPlay(each);
    const text = able ? botText(each) : `${each.bot} · not with ${chosen("players")} players`;
    return element("option", { value: each.bot, ...(!able && { disabled: "" }) }, text);
  }

  // A row for each seat: the person's, and a bot for each other. Seats are shown from 1 on.
  function drawSeats(wanted) {
    const players = chosen("players");
    at("seats").replaceChildren(...Array.from({ length: players }, (_, place) => (
      element("li", "seat", radio("seat", place, `Seat ${place + 1}`)))));
    form.elements.seat.value = Math.min(wanted, players - 1);
    drawBots();
  }

  function drawBots() {
    const rows = [...at("seats").children];
    for (const row of rows) row.querySelector("select, b")?.remove();
    rows[chosen("seat")].append(element("b", "", "You"));
    for (let after = 0; after < rows.length - 1; after += 1) {
      opponents[after] ??= opponents[after % (opponents.length || 1)] ?? bots[0].bot;
      const seat = (chosen("seat") + 1 + after) % rows.length;
      const select = element("select", { "aria-label": `Bot at seat ${seat + 1}` }, ...bots.map(botOption));
      select.value = playing(opponents[after]);
      select.addEventListener("change", () => {
        opponents[after] = select.value;
        drawStrength();
      });
      rows[seat].append(select);
    }
    drawStrength();
  }

  // The strength of the opponents, if all have the same.
  function drawStrength() {
    const present = new Set(read().opponents.map((bot) => bots.find((each) => each.bot === bot).strength));
    for (const each of form.elements.strength) each.checked = present.size === 1 && present.has(each.value);
  }

  function useStrength(strength) {
    const able = bots.filter((each) => each.strength === strength && canPlay(each)).reverse();
    if (able.length) opponents = opponents.map((_, after) => able[after % able.length].bot);
    drawBots();
  }

  function fill(game) {
    opponents = [...game.opponents];
    form.elements.players.value = game.players;
    form.elements.objectives.value = game.objectives;
    drawSeats(game.seat);
    form.elements.seed.value = game.seed;
    form.elements.hints.checked = game.hints;
  }

  const read = () => ({
    players: chosen("players"),
    objectives: chosen("objectives"),
    seat: chosen("seat"),
    opponents: opponents.slice(0, chosen("players") - 1).map(playing),
    seed: form.elements.seed.value,
    hints: form.elements.hints.checked,
  });

  // The settings of a game, as the deal of another one takes them.
  const settingsOf = ({ names, objectives, seat, opponents: others, hint_bot }) => ({
    players: names.length, objectives, seat, opponents: others, seed: "", hints: hint_bot !== null,
  });

  function drawOffer(offer) {
    bots = offer.bots;
    const strengths = [...new Set(bots.map(({ strength }) => strength).filter(Boolean))].reverse();
    at("strength-choices").replaceChildren(...strengths.map((each) => radio("strength", each, each)));
  }

  function drawShare(state) {
    at("seed-text").textContent = state.seed === null
      ? "The seed of this deal is shown when the game is over, because all hands follow from it." : `This deal has the seed ${state.seed}. The command deals it again:`;
    at("command").hidden = state.seed === null;
    at("command").textContent = state.command;
  }

  // Resolves with {dealt: its state}, or with {resume: id or ""}. `state` is the game on the page.
  async function open(state, current) {
    const [offer, saved] = await Promise.all([Server.get("offer"), Server.get("games")]);
    drawOffer(offer);
    fill(settingsOf(state));
    drawShare(state);
    SavedGames.draw(saved.games, [state, current], dialog);
    at("game-error").textContent = "";
    let dealt = null; // the request, unless it was refused
    form.onsubmit = async (event) => {
      event.preventDefault();
      if (dealt) return;
      dealt = Turn.post("deal", current, { settings: read() });
      const error = await dealt.then(() => null, (refusal) => refusal);
      at("game-error").textContent = error?.message ?? "";
      if (error && error.status !== 409) dealt = null;
      else dialog.close();
    };
    const resume = await Dialogs.open(dialog);
    return dealt ? { dealt: await dealt } : { resume };
  }

  at("game-close").addEventListener("click", () => dialog.close());
  at("players-choices").addEventListener("change", () => drawSeats(chosen("seat")));
  at("seats").addEventListener("change", ({ target }) => target.name === "seat" && drawBots());
  at("strength-choices").addEventListener("change", ({ target }) => useStrength(target.value));

  return { open, settingsOf };
})();
