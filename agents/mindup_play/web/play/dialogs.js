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
    if (!table.winners.includes(seat)) return `${others.join(" and ")} won`;
    return others.length ? `You share the victory with ${others.join(" and ")}` : "You won!";
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
    const title = roundEnded ? `Round ${rounds} is over` : "Scores";
    at("scores-title").textContent = table.over ? resultText(state) : title;
    at("scores-text").textContent = roundEnded && !table.over
      ? "Your tableau is your next hand, with one more card from the deck." : "";
    at("scores-tables").replaceChildren(...(rounds > 1 ? [lastRound, allRounds] : [lastRound]));
    for (const id of ["same-deal", "new-deal", "save-record"]) at(id).hidden = !table.over;
    at("scores-close").textContent = table.over ? "Show the table" : "Continue";
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
      ? "The seed of this deal is shown when the game is over, because all hands follow from it."
      : `This deal has the seed ${state.seed}. This command deals it again:`;
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
      at("copy").textContent = "Copied";
    } catch {
      at("copy").textContent = "Selected"; // without access to the clipboard
    }
    setTimeout(() => { at("copy").textContent = "Copy"; }, 2000);
  }

  at("copy").addEventListener("click", copyCommand);
  const anyOpen = () => scoresDialog.open || gameDialog.open;

  return { showScores, askGame, anyOpen };
})();
