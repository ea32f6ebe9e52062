"use strict";

// The page of a recorded game: one state of the table after each turn.
(() => {
  const at = (id) => document.getElementById(id);
  const { deck, names: given, tables, evaluations } = JSON.parse(at("data").textContent);
  const names = given ?? tables[0].players.map((_, number) => Texts.get("table.player", { number }));
  const last = tables.length - 1;
  const view = { deck, names, seat: null, showKnown: true, showHidden: true, played: null };
  let shown = 0;

  const moveCursor = Graph.draw(at("graph"), tables, names, go);

  function progressText(table) {
    const progress = TableView.progress(table);
    if (!table.over) return Texts.get("replay.progress", { progress, played: table.turns_played });
    const winners = Texts.list(table.winners.map((player) => names[player]));
    return Texts.get("replay.over", { won: Texts.get("table.won", { count: table.winners.length, names: winners }) });
  }

  function draw() {
    const table = tables[shown];
    const shownEvaluations = view.showHidden && evaluations ? evaluations[shown] : null;
    TableView.draw(at("table"), table, { ...view, evaluations: shownEvaluations });
    at("progress").textContent = progressText(table);
    at("turn").value = shown;
    at("turn").setAttribute("aria-valuetext", progressText(table));
    // Not `disabled`: a disabled button loses the focus.
    at("first").ariaDisabled = at("previous").ariaDisabled = String(shown === 0);
    at("last").ariaDisabled = at("next").ariaDisabled = String(shown === last);
    moveCursor(shown);
    const rounds = table.round_scores.length;
    at("score-tables").replaceChildren(...(rounds
      ? [Scores.ofRound(table, names, rounds), Scores.byRounds(table, names)] : []));
  }

  function go(turn) {
    const next = Math.min(Math.max(turn, 0), last);
    if (next === shown) return;
    const adjacent = Math.abs(next - shown) === 1;
    Animations.skip();
    Animations.resume();
    shown = next;
    if (adjacent) Animations.transition(at("table"), draw, 600);
    else draw();
  }

  function toggleAllHands() {
    view.showHidden = !view.showHidden;
    at("all-hands").setAttribute("aria-pressed", view.showHidden);
    draw();
  }

  const KEYS = {
    ArrowLeft: () => go(shown - 1),
    ArrowRight: () => go(shown + 1),
    Home: () => go(0),
    End: () => go(last),
    h: toggleAllHands,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  at("first").addEventListener("click", KEYS.Home);
  at("previous").addEventListener("click", KEYS.ArrowLeft);
  at("next").addEventListener("click", KEYS.ArrowRight);
  at("last").addEventListener("click", KEYS.End);
  at("all-hands").addEventListener("click", toggleAllHands);
  at("turn").addEventListener("input", () => go(at("turn").valueAsNumber));
  at("turn").max = last;
  draw();
})();
