"use strict";

// The dialogs over the table: the scores and the result, and the settings of another game.
const Dialogs = (() => {
  const at = (id) => document.getElementById(id);
  const [scoresDialog, gameDialog] = [at("scores-dialog"), at("game-dialog")];

  // Resolves with the value of the button that closes the dialog.
  function open(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    });
  }

  function resultText({ names, seat, table }) {
    const others = table.winners.filter((player) => player !== seat).map((player) => names[player]);
    if (!table.winners.includes(seat)) return Texts.get("table.won", { count: others.length, names: Texts.list(others) });
    return others.length ? Texts.get("play.share_victory", { names: Texts.list(others) }) : Texts.get("play.you_won");
  }

  // The title has the focus, so that a key pressed too often neither deals nor scrolls.
  at("scores-title").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && at("same-deal").hidden) at("scores-close").click();
  });

  function showScores(state, roundEnded = false) {
    const { table, names, seat } = state;
    const rounds = table.round_scores.length;
    const lastRound = Scores.ofRound(table, names, rounds, seat);
    const allRounds = Scores.byRounds(table, names, seat);
    const title = roundEnded ? Texts.get("play.round_over", { round: rounds }) : Texts.get("play.scores");
    at("scores-title").textContent = table.over ? resultText(state) : title;
    at("scores-text").textContent = roundEnded && !table.over
      ? Texts.get("play.next_hand") : "";
    at("scores-tables").replaceChildren(...(rounds > 1 ? [lastRound, allRounds] : [lastRound]));
    for (const id of ["same-deal", "new-deal", "save-record"]) at(id).hidden = !table.over;
    at("scores-close").textContent = Texts.get(table.over ? "play.show_table" : "play.continue");
    return open(scoresDialog);
  }

  // Resolves with the settings of another game, or null.
  async function askGame(state) {
    const form = at("game-form");
    form.players.value = state.names.length;
    form.objectives.value = state.objectives;
    form.seed.value = "";
    at("share").hidden = state.command === null;
    at("command").textContent = state.command ?? "";
    at("seed-text").textContent = state.seed === null
      ? Texts.get("play.seed_secret") : Texts.get("play.deal_seed", { seed: state.seed });
    if (await open(gameDialog) !== "deal") return null;
    return {
      players: form.players.valueAsNumber,
      objectives: form.objectives.valueAsNumber,
      seed: form.seed.value,
    };
  }

  async function copyCommand() {
    const range = document.createRange();
    range.selectNodeContents(at("command"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(at("command").textContent);
      at("copy").textContent = Texts.get("play.copied");
    } catch {
      at("copy").textContent = Texts.get("play.selected"); // without access to the clipboard
    }
    setTimeout(() => { at("copy").textContent = Texts.get("play.copy"); }, 2000);
  }

  at("copy").addEventListener("click", copyCommand);
  const anyOpen = () => scoresDialog.open || gameDialog.open;

  return { showScores, askGame, anyOpen };
})();
