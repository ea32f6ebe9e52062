"use strict";

// The card that the hint bot would play, and its value of each card, when the person asks for them.
const Hints = (() => {
  const at = (id) => document.getElementById(id);
  const PAUSE = 500; // milliseconds between requests
  let areOn = Memory.recall("hints", Choices.get("hints") === "on"); // over a reload
  let shown = null; // the state that the hint is for

  function start(checkbox) {
    checkbox.checked = Choices.get("hints") === "on";
    checkbox.addEventListener("change", () => {
      Choices.set("hints", checkbox.checked ? "on" : "off");
      if (areOn !== checkbox.checked) toggle();
    });
  }

  const isFor = ({ hint_bot: bot, table }) => bot !== null && !table.over;

  function draw(state) {
    shown = state;
    at("hint").hidden = !isFor(state);
    at("hint").title = Texts.get("play.hint_title", { bot: state.hint_bot });
    at("hint").setAttribute("aria-pressed", areOn);
    at("hint-text").textContent = "";
    if (areOn && isFor(state)) show(state).catch((error) => { at("error").textContent = error.message; });
  }

  // The hint, when the bot is prepared; without one if the person goes on before.
  async function request(state) {
    for (;;) {
      const answer = await Requests.get("hint");
      if (!answer.preparing) return answer;
      if (!areOn || state !== shown) return {};
      const key = answer.compiling ? "play.bot_preparing" : "play.bot_choosing";
      at("hint-text").textContent = Texts.get(key, { bot: state.hint_bot });
      await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    }
  }

  async function show(state) {
    at("hint-text").textContent = Texts.get("play.bot_choosing", { bot: state.hint_bot });
    const answer = await request(state);
    if (!answer.hint || !areOn || !Requests.sameTurn(answer, shown)) return;
    const { card, evaluation } = answer.hint;
    Hand.showHint(answer.hint);
    const values = { bot: state.hint_bot, card, unit: evaluation && Cards.unitText(evaluation.unit) };
    const text = Texts.get(evaluation ? "play.bot_would_play_unit" : "play.bot_would_play", values);
    at("hint-text").textContent = text;
    Narration.tell(text);
  }

  function toggle() {
    areOn = !areOn;
    Memory.keep("hints", areOn);
    at("hint").setAttribute("aria-pressed", areOn);
  }

  return { start, draw, toggle };
})();
