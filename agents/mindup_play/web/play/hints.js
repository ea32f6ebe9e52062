// When the person asks for them: the card that the hint bot would play, and its value of each card.
const Hints = (() => {
  const PAUSE = 500; // milliseconds between requests
  let areOn = Choices.get("hints") === "on"; // by a button
  let latest = 0; // the number of the last request; those before it stop
  let isTold = false; // the text on waiting: it is not announced again in each turn

  function draw(state) {
    const { hint_bot: bot } = state;
    const offered = bot !== null && !state.table.over;
    clear();
    at("hint").hidden = !offered;
    at("hint").title = `Shows what ${bot} would play (h)`;
    at("hint").setAttribute("aria-pressed", areOn);
    if (areOn && offered) Server.attempt(() => show(state));
  }

  // Removes the text, and stops the request that would write the next one.
  function clear() {
    latest += 1;
    at("hint-text").textContent = "";
  }

  // Asks until the bot is prepared, unless the page has gone on before.
  async function show(state) {
    const own = latest;
    const bot = state.hint_bot;
    at("hint-text").textContent = `${bot} is choosing…`;
    let answer = await Server.get("hint");
    while (answer.preparing && own === latest) {
      say(`${bot} is being prepared: once after installing, this takes a minute or two. You can play on.`, isTold);
      isTold = true;
      await Server.pause(PAUSE);
      if (own === latest) answer = await Server.get("hint");
    }
    if (own !== latest || !Turn.isSame(answer, state) || !answer.hint) return;
    const { card, evaluation } = answer.hint;
    Hand.showHint(answer.hint);
    say(`${bot} would play ${card}${evaluation ? `; at each card: ${evaluation.unit}` : ""}`);
  }

  function say(text, silently = false) {
    at("hint-text").textContent = text;
    if (!silently) Narration.tell(text);
  }

  function toggle() {
    clear();
    isTold = false;
    areOn = !areOn;
    Choices.set("hints", areOn ? "on" : "off");
    at("hint").setAttribute("aria-pressed", areOn);
  }

  return { draw, clear, toggle };
})();
