"use strict";

// The dialogs over the table: the scores and the result, and questions.
const Dialogs = (() => {
  const at = (id) => document.getElementById(id);

  // Resolves with the value of the button that closes the dialog.
  function open(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    });
  }

  // The title has the focus, so that a key pressed too often neither deals nor scrolls.
  at("scores-title").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && at("same-deal").hidden) at("scores-close").click();
  });

  // `view` is that of the table.
  function showScores(state, view, roundEnded = false) {
    const { table } = state;
    const rounds = table.round_scores.length;
    const lastRound = Scores.ofRound(table, view, rounds);
    const allRounds = Scores.byRounds(table, view);
    const title = roundEnded ? Texts.get("play.round_over", { round: rounds }) : Texts.get("play.scores");
    at("scores-title").textContent = table.over ? TableView.result(table, view) : title;
    const nextHand = roundEnded ? Texts.get("play.next_hand") : "";
    at("scores-text").textContent = table.over ? Scores.margin(table, view) : nextHand;
    const ranking = table.over ? [Scores.ranking(table, view)] : [];
    at("scores-tables").replaceChildren(...ranking, ...(rounds > 1 ? [lastRound, allRounds] : [lastRound]));
    if (roundEnded && table.winners.includes(view.seat)) Celebration.start(at("scores-dialog"));
    at("new-deal").hidden = !table.over;
    at("same-deal").hidden = !table.over || state.seed === null; // the deal of a record has none
    at("scores-close").textContent = Texts.get(table.over ? "play.show_table" : "play.continue");
    return open(at("scores-dialog"));
  }

  // Asks before something is done; the safe answer has the focus.
  async function ask(question, action) {
    at("question-text").textContent = question;
    at("question-yes").textContent = action;
    return await open(at("question-dialog")) === "yes";
  }

  // Asks if cards were played in the current game, and it is not over.
  async function mayLeave({ turns_played: turns, table }) {
    if (turns === 0 || table.over) return true;
    return ask(Texts.get("new_game.leave"), Texts.get("new_game.leave_and_deal"));
  }

  return { open, showScores, ask, mayLeave };
})();
