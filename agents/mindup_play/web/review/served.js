// The page of a finished game from the server, which reviews it in the background.
(async () => {
  const PAUSE = 500; // milliseconds between requests
  const game = new URLSearchParams(location.search).get("game") ?? "";

  const tryAgain = (turns) => Server.attempt(async () => {
    await Server.post("try-again", { game, turns });
    location.assign("./");
  });

  async function waitForReview() {
    for (;;) {
      const { progress, review, compiling } = await Server.post("review", { game });
      if (review) return review;
      Review.showProgress(progress, Texts.get(compiling ? "review.preparing" : "review.working"));
      await Server.pause(PAUSE);
    }
  }

  Object.assign(at("to-table"), { href: "./", hidden: false });
  await Server.attempt(async () => {
    Review.showProgress(0, Texts.get("review.working"));
    const data = await Server.get(`replay?game=${encodeURIComponent(game)}`);
    Replay.start(data);
    Review.start({ review: await waitForReview(), again: { seat: data.seat, start: tryAgain } });
  }, () => Replay.openPanel());
})();
