// The page of a recorded game, perhaps with its review, or of a finished game on the server, which
// reviews it in the background.
(async () => {
  const PAUSE = 500; // milliseconds between requests
  const game = new URLSearchParams(location.search).get("game") ?? "";

  // `current` is the game that another try replaces.
  const tryAgain = (current, turns) => Server.attempt(async () => {
    const { game_id, turns_played } = current;
    await Server.post("try-again", { game: game_id, turn: turns_played, saved_game: game, turns });
    location.assign("./");
  });

  async function waitForReview(turn) {
    Review.showProgress(0, "Reviewing the game…");
    for (;;) {
      const { progress, review, preparing } = await Server.post("review", { game, turn });
      if (review) return review;
      Review.showProgress(progress, preparing ? "The review is being prepared: once after installing, this takes a minute or two." : "Reviewing the game…");
      await Server.pause(PAUSE);
    }
  }

  await Server.attempt(async () => {
    const data = await Server.get(`replay?game=${encodeURIComponent(game)}`);
    Replay.start(data);
    if ("review" in data) {
      if (data.review) Review.start(data.review);
      return;
    }
    Object.assign(at("to-table"), { href: "./", hidden: false });
    const current = await Server.get("state");
    Review.start(await waitForReview(data.tables.length - 1), data.seat, (turns) => tryAgain(current, turns));
  }, () => Replay.openPanel());
})();
