"use strict";

// What lies over the table now and then: scores and the result, and the way to another game.
const Dialogs = (() => {
  const at = (id) => document.getElementById(id);
  const [scores, game] = [at("scores-dialog"), at("game-dialog")];

  // Resolves with the button that closed it.
  function open(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    });
  }

  function winnersOf({ names, seat, moment }) {
    const others = moment.winners.filter((player) => player !== seat).map((player) => names[player]);
    if (!moment.winners.includes(seat)) return `${others.join(" and ")} won`;
    return others.length ? `You share the victory with ${others.join(" and ")}` : "You won!";
  }

  // The title has the focus, so that an impatient key neither deals anew nor scrolls past it.
  at("scores-title").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && at("again").hidden) at("scores-close").click();
  });

  function showScores(state, ended = false) {
    const { moment, names, seat } = state;
    const rounds = moment.finished_rounds.length;
    const last = Scores.ofRound(moment, names, rounds, seat);
    const all = Scores.byRounds(moment, names, seat);
    const title = ended ? `Round ${rounds} is over` : "Scores";
    at("scores-title").textContent = moment.over ? winnersOf(state) : title;
    at("scores-words").textContent = ended && !moment.over ? "Your tableau is your next hand, with one card drawn." : "";
    at("scores-tables").replaceChildren(...(rounds > 1 ? [last, all] : [last]));
    for (const id of ["again", "new", "record"]) at(id).hidden = !moment.over;
    at("scores-close").textContent = moment.over ? "Look at the table" : "Go on";
    return open(scores);
  }

  async function askGame(state) {
    const form = at("game-form");
    form.players.value = state.names.length;
    form.objectives.value = state.objectives;
    form.seed.value = "";
    at("command").textContent = state.command;
    at("game-words").textContent = `This deal has the seed ${state.seed}. Whoever runs this line plays it too:`;
    if (await open(game) !== "deal") return null;
    return {
      players: form.players.valueAsNumber,
      objectives: form.objectives.valueAsNumber,
      seed: form.seed.value,
    };
  }

  async function copy() {
    const range = document.createRange();
    range.selectNodeContents(at("command"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(at("command").textContent);
      at("copy").textContent = "Copied";
    } catch {
      at("copy").textContent = "Selected"; // the person can copy it by hand
    }
    setTimeout(() => { at("copy").textContent = "Copy"; }, 2000);
  }

  at("copy").addEventListener("click", copy);
  const anyOpen = () => scores.open || game.open;

  return { showScores, askGame, anyOpen };
})();
