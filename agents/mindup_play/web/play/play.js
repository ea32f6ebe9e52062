"use strict";

// Plays: asks the server for the game, draws it, and tells it which card the person plays.
(() => {
  const at = (id) => document.getElementById(id);
  const look = { deck: [], names: [], seat: 0, known: true, secret: false, lane: null };
  let state = null;
  let busy = false;
  let revealing = false;
  let hinting = false;

  async function ask(path, body) {
    const asked = body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: state.game, clock: state.clock, ...body }),
    };
    let answer;
    try {
      answer = await fetch(path, asked);
    } catch {
      throw new Error("The server does not answer. Start mindup play again, and open the address that it prints.");
    }
    const told = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
    return told;
  }

  // Drawing

  function drawTable(moment, lane = null) {
    const waiting = moment.row.map(() => null);
    Table.draw(at("table"), moment, { ...look, lane: lane ?? (moment.over ? null : waiting) }, at("own"));
  }

  function draw() {
    const { moment } = state;
    Object.assign(look, { names: state.names, seat: state.seat });
    drawTable(moment);
    Hand.draw(look.deck, moment.players[state.seat]);
    at("place").textContent = moment.over ? "The game is over"
      : `Round ${moment.round} of ${moment.rounds} \u00b7 turn ${moment.turn} of ${moment.turns}`;
    at("scores").disabled = moment.finished_rounds.length === 0;
    at("hint").hidden = state.hints === null;
    at("hint").title = `What ${state.hints} would play (h)`;
    at("hand").hidden = moment.over;
    document.body.classList.toggle("over", moment.over);
    drawHint();
  }

  async function drawHint() {
    at("advice").textContent = "";
    if (!hinting || state.hints === null || state.moment.over) return;
    at("advice").textContent = `${state.hints} is thinking\u2026`;
    const { game, clock, hint } = await ask("hint").catch(report) ?? {};
    if (!hint || !hinting || game !== state.game || clock !== state.clock) return;
    Hand.advise(hint);
    const unit = hint.weighing ? ` (${hint.weighing.unit})` : "";
    at("advice").textContent = `${state.hints} would play ${hint.card}${unit}`;
  }

  // The reveal, as at a table

  const without = (player, card) => ({
    ...player,
    known: player.known.filter((held) => held !== card),
    hidden: player.hidden.filter((held) => held !== card),
  });

  // While cards lie in the lane they are in nobody's hand.
  function revealed(moment, turn) {
    const players = moment.players.map((player, seat) => {
      const { card } = turn.taken.find((taken) => taken.player === seat);
      const left = without(player, card);
      if (seat !== look.seat && left.known.length + left.hidden.length
        === player.known.length + player.hidden.length) left.hidden = left.hidden.slice(1);
      return left;
    });
    return { ...moment, players };
  }

  // A round's last tableaux, before they become hands.
  function scored(before, after) {
    const { end } = after.last_turn;
    const scores = after.finished_rounds.at(-1);
    const players = before.players.map((player, seat) => ({
      ...player,
      tableau: end.tableaux[seat],
      known: [],
      hidden: [],
      running: scores[seat].total,
      total: after.players[seat].finished,
    }));
    const objectives = after.finished_objectives.at(-1);
    return { ...before, players, objectives, row: after.row, last_turn: after.last_turn };
  }

  function tell(turn) {
    const words = turn.taken.map(({ player, card, prize }) => (
      player === look.seat ? `You play ${card} and take ${Cards.name(look.deck, prize)}.`
        : `${look.names[player]} plays ${card} and takes ${Cards.name(look.deck, prize)}.`));
    at("news").textContent = words.join(" ");
  }

  function setRevealing(now) {
    revealing = now;
    document.body.classList.toggle("revealing", now);
  }

  async function reveal(before, after) {
    const turn = after.last_turn;
    setRevealing(true);
    const bySeat = [...turn.taken].sort((one, other) => one.player - other.player);
    const down = bySeat.map(({ player, card }) => ({ player, card: player === look.seat ? card : null }));
    const played = revealed(before, turn);
    const scene = (moment, lane, milliseconds) => Motion.between(document.body, () => {
      drawTable(moment, lane);
      Hand.draw(look.deck, moment.players[look.seat]);
    }, milliseconds);
    tell(turn);
    at("advice").textContent = "";
    at("table").querySelector(".row").scrollIntoView({ block: "nearest" });
    if (Motion.calm()) {
      await scene(played, turn.taken, 0);
      await Motion.pause(700);
    } else {
      await scene(played, down, 450);
      await scene(played, bySeat, 450);
      await Motion.pause(450);
      await scene(played, turn.taken, 600);
      await Motion.pause(650);
    }
    if (turn.end) {
      await scene(scored(before, after), null, 800);
      await Motion.pause(900);
      Motion.rest();
    } else {
      await Motion.between(document.body, draw, 800);
    }
  }

  // Playing

  const played = (from, to) => from && to.game === from.game && to.clock === from.clock + 1;

  async function show(next) {
    const before = state;
    state = next;
    if (before && next.game === before.game && next.clock === before.clock) return;
    if (!played(before, next)) {
      draw();
      return;
    }
    await reveal(before.moment, next.moment);
    if (next.moment.last_turn.end) await showEnd();
  }

  // The scores stand over the tableaux that were scored; then those become hands.
  async function showEnd() {
    setRevealing(false);
    const choice = await Dialogs.showScores(state, true);
    await Motion.between(document.body, draw, 800);
    await finish(choice);
  }

  async function finish(choice) {
    const again = { players: state.names.length, objectives: state.objectives };
    if (choice === "again") await show(await ask("deal", { ...again, seed: state.seed }));
    if (choice === "new") await show(await ask("deal", { ...again, seed: "" }));
  }

  function report(error) {
    at("trouble").textContent = error.message;
  }

  // One thing at a time; a game that has gone on elsewhere is drawn as it is now.
  async function doing(work) {
    if (busy) return;
    busy = true;
    Hand.wait(true);
    at("trouble").textContent = "";
    document.body.classList.add("busy");
    try {
      await work();
    } catch (error) {
      report(error);
      if (error.status === 409) {
        state = await ask("state").catch(() => state);
        draw();
      }
    } finally {
      Motion.rest();
      busy = false;
      setRevealing(false);
      document.body.classList.remove("busy");
      Hand.wait(false);
      if (document.activeElement === document.body) Hand.focus();
    }
  }

  // Some bots take their time, and nothing moves meanwhile.
  const play = (card) => doing(async () => {
    const slow = setTimeout(() => { at("news").textContent = "The others are thinking."; }, 1000);
    Hand.wait(true, "The others are thinking\u2026");
    const next = await ask("play", { card }).finally(() => clearTimeout(slow));
    Hand.wait(true);
    await show(next);
  });

  const openScores = () => doing(async () => finish(await Dialogs.showScores(state)));

  const openGame = () => doing(async () => {
    const wish = await Dialogs.askGame(state);
    if (wish) await show(await ask("deal", wish));
  });

  function toggleKnown() {
    look.known = !look.known;
    at("known").setAttribute("aria-pressed", look.known);
    if (!busy) draw();
  }

  function toggleHint() {
    if (at("hint").hidden) return;
    hinting = !hinting;
    at("hint").setAttribute("aria-pressed", hinting);
    if (!busy) draw();
  }

  const KEYS = { k: toggleKnown, h: toggleHint, s: () => at("scores").click(), g: openGame };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || Dialogs.anyOpen()) return;
    if (busy) {
      if (!revealing || event.repeat || !["Enter", " ", "Escape"].includes(event.key)) return;
      Motion.skip();
    } else if (event.key in KEYS) {
      KEYS[event.key]();
    } else if (!Hand.key(event)) {
      return;
    }
    event.preventDefault();
  }

  async function begin() {
    Hand.onPlay = play;
    document.addEventListener("keydown", onKey);
    at("table").addEventListener("click", () => revealing && Motion.skip());
    at("known").addEventListener("click", toggleKnown);
    at("hint").addEventListener("click", toggleHint);
    at("scores").addEventListener("click", openScores);
    at("game").addEventListener("click", openGame);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && state) doing(async () => show(await ask("state")));
    });
    await doing(async () => {
      look.deck = await ask("deck");
      await show(await ask("state"));
    });
  }

  begin();
})();
