"use strict";

// The playable page: requests the game from the server, draws it, and sends the person's card.
(() => {
  const at = (id) => document.getElementById(id);
  const view = { deck: [], names: [], seat: 0, showKnown: true, showHidden: false, played: null };
  let state = null;
  let busy = false;
  let revealing = false;
  let showsHints = false;

  async function request(path, body) {
    const options = body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game_id: state.game_id, turns_played: state.turns_played, ...body }),
    };
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      throw new Error(Texts.get("error.no_server"));
    }
    const answer = await response.json();
    if (answer.names) answer.names[answer.seat] = Texts.get("table.you");
    if (!response.ok) {
      const message = answer.key ? Texts.get(answer.key, answer.values) : answer.error;
      throw Object.assign(new Error(message), { status: response.status });
    }
    return answer;
  }

  // Drawing

  function drawTable(table, played = null) {
    const emptySlots = table.over ? null : table.row.map(() => null);
    TableView.draw(at("table"), table, { ...view, played: played ?? emptySlots }, at("own-tableau"));
  }

  function drawStep(table, played) {
    drawTable(table, played);
    Hand.draw(view.deck, table.players[view.seat]);
  }

  function draw() {
    const { table } = state;
    Object.assign(view, { names: state.names, seat: state.seat });
    drawStep(table);
    at("progress").textContent = TableView.progress(table);
    at("scores").disabled = table.round_scores.length === 0;
    at("hint").hidden = state.hint_bot === null;
    at("hint").title = Texts.get("play.hint_title", { bot: state.hint_bot });
    at("hand").hidden = table.over;
    document.body.classList.toggle("over", table.over);
    drawHint();
  }

  const sameTurn = (one, other) => (
    one.game_id === other.game_id && one.turns_played === other.turns_played);
  const nextTurn = (from, to) => (
    to.game_id === from.game_id && to.turns_played === from.turns_played + 1);

  async function drawHint() {
    at("hint-text").textContent = "";
    if (!showsHints || state.hint_bot === null || state.table.over) return;
    at("hint-text").textContent = Texts.get("play.bot_choosing", { bot: state.hint_bot });
    const answer = await request("hint").catch(showError);
    if (!answer?.hint || !showsHints || !sameTurn(answer, state)) return;
    const { card, evaluation } = answer.hint;
    Hand.showHint(answer.hint);
    const values = { bot: state.hint_bot, card, unit: evaluation && Cards.unitText(evaluation.unit) };
    at("hint-text").textContent = Texts.get(evaluation ? "play.bot_would_play_unit" : "play.bot_would_play", values);
  }

  function showError(error) {
    at("error").textContent = error.message;
  }

  // Turns

  function announce(plays) {
    const sentences = plays.map(({ player, card, prize }) => (
      Texts.get(player === view.seat ? "play.announce_own" : "play.announce", {
        name: view.names[player], card, prize: Cards.name(view.deck, prize),
      })));
    at("announcement").textContent = sentences.join(" ");
  }

  function setRevealing(now) {
    revealing = now;
    document.body.classList.toggle("revealing", now);
  }

  async function show(next) {
    const before = state;
    state = next;
    if (before && sameTurn(before, next)) return;
    if (!before || !nextTurn(before, next)) {
      draw();
      return;
    }
    setRevealing(true);
    announce(next.table.last_turn.plays);
    at("hint-text").textContent = "";
    at("table").querySelector(".row").scrollIntoView({ block: "nearest" });
    await Reveal.show(before.table, next.table, view.seat, drawStep);
    if (next.table.last_turn.scored_tableaux) await endRound();
    else await Animations.transition(document.body, draw, 800);
  }

  // The scores are shown over the scored tableaux; then those become hands.
  async function endRound() {
    Animations.resume();
    setRevealing(false);
    const choice = await Dialogs.showScores(state, true);
    await Animations.transition(document.body, draw, 800);
    await dealAfterScores(choice);
  }

  async function dealAfterScores(choice) {
    const game = { players: state.names.length, objectives: state.objectives };
    if (choice === "same-deal") await show(await request("deal", { ...game, seed: state.seed }));
    if (choice === "new-deal") await show(await request("deal", { ...game, seed: "" }));
  }

  // Runs one action at a time. If the game has continued elsewhere, its current state is drawn.
  async function runAction(action) {
    if (busy) return;
    busy = true;
    Hand.lock(true);
    at("error").textContent = "";
    document.body.classList.add("busy");
    try {
      await action();
    } catch (error) {
      showError(error);
      if (error.status === 409) {
        state = await request("state").catch(() => state);
        draw();
      }
    } finally {
      Animations.resume();
      busy = false;
      setRevealing(false);
      document.body.classList.remove("busy");
      Hand.lock(false);
      if (document.activeElement === document.body) Hand.focus();
    }
  }

  // Slow bots are announced after a second.
  const play = (card) => runAction(async () => {
    const slow = setTimeout(() => { at("announcement").textContent = Texts.get("play.others_choosing_status"); }, 1000);
    Hand.lock(true, Texts.get("play.others_choosing"));
    const next = await request("play", { card }).finally(() => clearTimeout(slow));
    Hand.lock(true);
    await show(next);
  });

  const openScores = () => runAction(async () => dealAfterScores(await Dialogs.showScores(state)));

  const openGame = () => runAction(async () => {
    const game = await Dialogs.askGame(state);
    if (game) await show(await request("deal", game));
  });

  // Buttons and keys

  function toggleKnownHands() {
    view.showKnown = !view.showKnown;
    at("known-hands").setAttribute("aria-pressed", view.showKnown);
    if (!busy) draw();
  }

  function toggleHints() {
    if (at("hint").hidden) return;
    showsHints = !showsHints;
    at("hint").setAttribute("aria-pressed", showsHints);
    if (!busy) draw();
  }

  const KEYS = { k: toggleKnownHands, h: toggleHints, s: () => at("scores").click(), g: openGame };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || Dialogs.anyOpen()) return;
    if (busy) {
      if (!revealing || event.repeat || !["Enter", " ", "Escape"].includes(event.key)) return;
      Animations.skip();
    } else if (event.key in KEYS) {
      KEYS[event.key]();
    } else if (!Hand.handleKey(event)) {
      return;
    }
    event.preventDefault();
  }

  async function start() {
    Hand.onPlay = play;
    document.addEventListener("keydown", onKey);
    at("table").addEventListener("click", () => revealing && Animations.skip());
    at("known-hands").addEventListener("click", toggleKnownHands);
    at("hint").addEventListener("click", toggleHints);
    at("scores").addEventListener("click", openScores);
    at("game").addEventListener("click", openGame);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && state) runAction(async () => show(await request("state")));
    });
    await runAction(async () => {
      view.deck = await request("deck");
      await show(await request("state"));
    });
  }

  start();
})();
