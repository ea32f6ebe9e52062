// The scores of a round and of the game, in a dialog; and what stands in the place of the hand when
// the game is over.
const Results = (() => {
  // The title has the focus, so that a key pressed too often neither deals nor scrolls.
  at("scores-title").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && at("same-deal").hidden) at("scores-close").click();
  });

  const canReview = ({ names }) => names.length > 2; // no network values games of two players
  const reviewOf = ({ game_id: id }) => `review.html?game=${id}`;

  // Resolves with the value of the button that closes the dialog. `view` is that of the table.
  function showScores(state, view, roundEnded = false) {
    const { table } = state;
    const rounds = table.round_scores.length;
    const [title, text] = roundEnded ? [`Round ${rounds} is over`, "Your tableau is your next hand, with one more card from the deck."] : ["Scores", ""];
    at("scores-title").textContent = table.over ? TableView.result(table, view) : title;
    const reasons = table.over ? [Scores.margin(table, view), Scores.decisive(table, view)].filter(Boolean) : [text];
    at("scores-text").textContent = reasons.join(". ");
    at("scores-tables").replaceChildren(
      ...(table.over ? [Scores.ranking(table, view)] : []),
      Scores.ofRound(table, view, rounds),
      ...(rounds > 1 ? [Scores.byRounds(table, view)] : []),
    );
    for (const each of ["scores-review", "scores-new"]) at(each).hidden = !table.over;
    at("scores-review").hidden ||= !canReview(state);
    at("scores-review").href = reviewOf(state);
    at("same-deal").hidden = !table.over || state.seed === null; // the deal of a record has none
    at("scores-close").textContent = table.over ? "Look at the table" : "Continue";
    return Dialogs.open(at("scores-dialog"));
  }

  // The result, and the ways on. `current` may be another game that is still played.
  function drawEnd(state, current) {
    at("game-end").hidden = !state.table.over;
    if (!state.table.over) return;
    at("end-title").textContent = TableView.result(state.table, { names: state.names, person: state.seat });
    at("end-same-deal").hidden = state.seed === null; // the deal of a record
    at("review-game").hidden = !canReview(state);
    at("review-game").href = reviewOf(state);
    at("end-return").hidden = state.game_id === current.game_id || current.table.over;
  }

  // Saves the record of a finished game, which `mindup watch replay` and `review` open.
  async function save({ game_id: game }) {
    const record = await Server.get(`record?game=${encodeURIComponent(game)}`);
    const href = URL.createObjectURL(new Blob([JSON.stringify(record)]));
    element("a", { href, download: "mind-up.json" }).click();
  }

  return { showScores, drawEnd, save };
})();

// The log: every turn of the game so far with the points that each card brought.
const Log = (() => {
  function ofTurn(turn, table, view) {
    const { round } = turn;
    const title = element("h4", "", `Turn ${turn.turn}`);
    const made = element("section", "log-turn", title, ...Turns.parts(turn, view));
    if (turn.turn > 1) return [made];
    return [element("h3", "", `Round ${round} of ${table.num_rounds}`), made];
  }

  // The last turn is at the bottom, and shown first.
  function open(turns, table, view) {
    const parts = turns.flatMap((turn) => ofTurn(turn, table, view));
    at("log-turns").replaceChildren(...(parts.length ? parts : [element("p", "", "No turn has been played yet.")]));
    const closed = Dialogs.open(at("log-dialog"));
    at("log-turns").scrollTop = at("log-turns").scrollHeight;
    return closed;
  }

  return { open };
})();
