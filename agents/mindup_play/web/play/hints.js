"use strict";

// The card that the hint bot would play, and its value of each card, when the person asks for them.
const Hints = (() => {
  const PAUSE = 500; // milliseconds between requests
  const always = () => Choices.get("hints") === "on";
  let areOn = Memory.recall("hints", false); // over a reload
  let game = Memory.recall("hints-game"); // the id of the game that they are on or off in
  let latest = 0; // the number of the last request; those before it stop
  let announced = ""; // the last text on waiting: it is not repeated in each turn

  const start = (checkbox) => Choices.bind(checkbox, "hints", always(), set);

  const isFor = ({ hint_bot: bot, table }) => bot !== null && !table.over;

  function draw(state) {
    clear();
    if (isFor(state) && state.game_id !== game) begin(state.game_id);
    at("hint").hidden = !isFor(state);
    at("hint").title = Texts.get("play.hint_title", { bot: state.hint_bot });
    at("hint").setAttribute("aria-pressed", areOn);
    if (areOn && isFor(state)) show(state).catch(Server.showError);
  }

  // Hints are on in another game if they are in all, or were in the game before.
  function begin(game_id) {
    game = game_id;
    Memory.keep("hints-game", game);
    set(areOn || always());
  }

  // Removes the text, and stops the request that would write the next one.
  function clear() {
    latest += 1;
    at("hint-text").textContent = "";
  }

  // The hint, when the bot is prepared; null if the page has gone on before.
  async function request(state) {
    const own = latest;
    while (own === latest) {
      const answer = await Server.get("hint");
      if (own !== latest || !Turn.isSame(answer, state)) break;
      if (!answer.preparing) return answer.hint;
      showWaiting(answer.compiling ? "play.bot_preparing" : "play.bot_choosing", state);
      await Server.pause(PAUSE);
    }
    return null;
  }

  function showWaiting(key, { hint_bot: bot }) {
    const text = Texts.get(key, { bot });
    at("hint-text").textContent = text;
    if (text !== announced) Narration.tell(text);
    announced = text;
  }

  async function show(state) {
    at("hint-text").textContent = Texts.get("play.bot_choosing", { bot: state.hint_bot });
    const hint = await request(state);
    if (!hint) return;
    const { card, evaluation } = hint;
    Hand.showHint(hint);
    const values = { bot: state.hint_bot, card, unit: evaluation && Cards.unitText(evaluation.unit) };
    const text = Texts.get(evaluation ? "play.bot_would_play_unit" : "play.bot_would_play", values);
    at("hint-text").textContent = text;
    Narration.tell(text);
  }

  function set(on) {
    clear();
    announced = "";
    areOn = on;
    Memory.keep("hints", areOn);
    at("hint").setAttribute("aria-pressed", areOn);
  }

  const toggle = () => set(!areOn);

  return { start, draw, clear, toggle };
})();
