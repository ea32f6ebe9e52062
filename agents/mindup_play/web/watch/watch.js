// A game that bots play now: the tables arrive turn by turn.
(async () => {
  const PAUSE = 300; // milliseconds between requests
  let thinking = null; // the seat that chooses
  let seed = null; // of the game that is shown

  function showStatus({ num_turns: turns, failed }) {
    const text = thinking !== null
      ? `${Replay.names[thinking]} is choosing · turn ${Stepper.last + 1} of ${turns}`
      : `${Stepper.last} of ${turns} turns are played`;
    at("watch-status").textContent = failed ?? text;
  }

  // Another game is another page: nothing of this one may stay.
  function restart() {
    history.replaceState(null, "", location.pathname);
    location.reload();
  }

  const deal = () => Server.attempt(async () => {
    await Server.post("deal", { seed });
    restart();
  });

  const openPanel = () => Replay.openPanel(
    element(
      "div",
      "next-game",
      element("span", "note", `Seed ${seed}`),
      button("New game", deal, { id: "new-game", title: "Deals the next seed to the same bots" }),
    ),
    element("p", { id: "watch-status" }),
  );

  const isOver = () => Replay.tables.at(-1).over;

  async function follow() {
    let failed = null;
    while (!isOver() && failed === null) {
      await Server.pause(PAUSE);
      const more = await Server.get(`table?first=${Replay.tables.length}`);
      if (more.seed !== seed) { // dealt in another tab
        restart();
        return;
      }
      ({ thinking, failed } = more);
      Replay.append(more.tables, more.evaluations, !more.tables.at(-1)?.over && failed === null);
      showStatus(more);
    }
  }

  await Server.attempt(async () => {
    const data = await Server.get("table?first=0");
    ({ thinking, seed } = data);
    Replay.start(data);
    openPanel();
    Stepper.setLast(Replay.tables.length - 1, !isOver() && data.failed === null);
    showStatus(data);
    if (!location.hash) Stepper.play();
    await follow();
  });
})();
