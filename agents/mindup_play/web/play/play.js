// What the person starts, one action at a time. While one runs, no card can be chosen.
const Actions = (() => {
  const { classList } = document.body;
  let busy = false;
  let revealing = false;

  function setRevealing(now) {
    revealing = now;
    classList.toggle("revealing", now);
  }

  // An error is shown; `onStale` draws the current state if the game has continued elsewhere.
  async function run(action, onStale = () => {}) {
    if (busy) return;
    busy = true;
    Hand.lock(true);
    at("error").textContent = "";
    classList.add("busy");
    try {
      await action();
    } catch (error) {
      Server.showError(error);
      if (error.status === 409) await onStale();
    } finally {
      Animations.resume();
      busy = false;
      setRevealing(false);
      classList.remove("busy");
      Hand.lock(false);
      if (document.activeElement === document.body) Hand.focus();
    }
  }

  function skipReveal() {
    if (revealing) Animations.skip();
  }

  // While an action runs, keys only skip what is revealed.
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    classList.add("with-keys");
    if (busy) {
      if (!revealing || event.repeat || !["Enter", " ", "Escape"].includes(event.key)) return;
      skipReveal();
    } else if (event.target.closest("select, input") || Keys.isOff(event)) {
      return;
    } else if (!Keys.handle(event) && !Hand.handleKey(event)) {
      return;
    }
    event.preventDefault();
  }

  document.addEventListener("keydown", onKey);
  // The second click of a double click may come from the button that played the card.
  at("board").addEventListener("click", ({ detail }) => detail < 2 && skipReveal());

  return { run, setRevealing, isBusy: () => busy };
})();

// The playable page: requests the game from the server, draws it, and sends the person's card.
(() => {
  const view = { deck: [], names: [], person: 0, seat: 0, showKnown: true, showHidden: false, played: null };
  let state = null; // the game on the page: the current one, or a finished one
  let current = null; // the state of the current game

  // Drawing

  // `turnView` is what the reveal of a turn changes in the view.
  function drawStep(table, turnView = {}) {
    const played = table.over ? null : table.row.map(() => null);
    const slotLabels = Guide.slotLabels(table);
    TableView.draw(at("table"), table, { ...view, played, slotLabels, breakdown: table.over, ...turnView }, at("own-tableau"));
    Hand.draw(view.deck, table.players[view.seat]);
  }

  function draw() {
    const { table } = state;
    const bots = state.bots.with(state.seat, "");
    Object.assign(view, { names: state.names, bots, person: state.seat, seat: state.seat });
    at("learn").classList.toggle("offered", !Choices.get("learnt") && table.turns_played === 0);
    drawStep(table);
    Hand.restore(Memory.recall("card", state));
    at("known-hands").hidden = table.round === 1 || table.over; // nothing is known
    at("progress").textContent = TableView.progress(table);
    at("scores").disabled = table.round_scores.length === 0;
    at("hand").hidden = table.over;
    document.body.classList.toggle("over", table.over);
    Results.drawEnd(state, current);
    Narration.say(Guide.tip(table));
    Hints.draw(state);
  }

  // Turns

  // Shows the current game: a turn is revealed, anything else is drawn.
  async function show(next) {
    const before = state;
    state = current = next;
    setAddress();
    if (before && Turn.isSame(before, next)) return;
    if (!before || !Turn.isNext(before, next)) {
      draw();
      return;
    }
    Actions.setRevealing(true);
    Narration.announce(next.table, next.table.last_turn.last_cards !== null);
    Hints.clear();
    await Reveal.show(before.table, next.table, view.seat, drawStep);
    if (next.table.last_turn.last_cards) await endRound();
    else await Animations.transition(document.body, draw, 320);
    document.querySelector(".row").scrollIntoView({ block: "nearest" }); // a low screen was scrolled to the panels
  }

  // A finished game has an address of its own.
  function setAddress() {
    history.replaceState(null, "", state.table.over ? `?game=${state.game_id}` : "/");
  }

  // The scores are shown over the scored tableaux; then those become hands.
  async function endRound() {
    Animations.resume();
    Actions.setRevealing(false);
    const choice = await showScores(true);
    await Animations.transition(document.body, draw, 600);
    await dealAfterScores(choice);
  }

  // A reload of the page shows them again.
  async function showScores(roundEnded) {
    Memory.keep("scores", state, { roundEnded });
    const choice = await Results.showScores(state, view, roundEnded);
    Memory.keep("scores", state, null);
    return choice;
  }

  async function dealAfterScores(choice) {
    if (choice === "new-game") await newGame();
    if (choice !== "same-deal") return;
    const settings = { ...NewGame.settingsOf(state), seed: state.seed };
    await show(await Turn.post("deal", current, { settings }));
  }

  // If the game has continued elsewhere, its current state is drawn.
  const runAction = (action) => Actions.run(action, async () => {
    state = current = await Server.get("state").catch(() => current);
    setAddress();
    draw();
  });

  // Slow bots are announced after a second.
  const play = (card) => runAction(async () => {
    const slow = setTimeout(() => { at("announcement").textContent = "The others are choosing."; }, 1000);
    Hand.lock(true, "The others are choosing…");
    const next = await Turn.post("play", state, { card }).finally(() => clearTimeout(slow));
    Hand.lock(true);
    await show(next);
  });

  const openScores = (roundEnded = false) => runAction(async () => dealAfterScores(await showScores(roundEnded)));

  async function newGame() {
    const choice = await NewGame.open(state, current);
    if (choice.dealt) await show(choice.dealt);
    else if (choice.resume) await show(await Turn.post("resume", current, { saved_game: choice.resume }));
  }

  // Buttons

  function toggle(change) {
    change();
    if (!Actions.isBusy()) draw();
  }

  const BUTTONS = {
    "known-hands": () => toggle(() => {
      view.showKnown = !view.showKnown;
      at("known-hands").setAttribute("aria-pressed", view.showKnown);
    }),
    hint: () => toggle(Hints.toggle),
    scores: openScores,
    log: () => runAction(async () => {
      const { turns } = await Server.get(`log?game=${encodeURIComponent(state.game_id)}`);
      await Log.open(turns, state.table, view);
    }),
    learn: () => {
      Choices.set("learnt", "on");
      at("learn").classList.remove("offered");
      runAction(() => Learn.open(view.deck));
    },
    game: () => runAction(newGame),
    settings: () => runAction(async () => {
      at("reduced-motion").hidden = !Animations.reduced();
      await Dialogs.open(at("settings-dialog"));
      draw(); // tips may have been switched
    }),
    "end-scores": openScores,
    "save-record": () => runAction(() => Results.save(state)),
    "end-same-deal": () => runAction(() => dealAfterScores("same-deal")),
    "end-game": () => runAction(newGame),
  };

  // The address is that of the current game, or of a finished one.
  async function load() {
    const finished = new URLSearchParams(location.search).get("game");
    view.deck = await Server.get("deck");
    state = current = await Server.get("state");
    try {
      if (finished !== null) state = await Server.get(`finished?game=${encodeURIComponent(finished)}`);
    } catch (error) {
      setAddress();
      throw error;
    } finally {
      draw();
    }
  }

  async function start() {
    Hand.start(play, (card) => Memory.keep("card", state, card));
    Narration.start(view);
    for (const [id, onClick] of Object.entries(BUTTONS)) at(id).addEventListener("click", () => onClick());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && state && state.game_id === current.game_id) runAction(async () => show(await Server.get("state")));
    });
    await runAction(load);
    const scores = state && Memory.recall("scores", state);
    if (scores) openScores(scores.roundEnded);
  }

  start();
})();
