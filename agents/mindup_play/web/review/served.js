"use strict";

// The page of a finished game from the server, which reviews it in the background.
(async () => {
  const at = (id) => document.getElementById(id);
  const { request } = Server;
  const PAUSE = 500; // milliseconds between requests
  const game = new URLSearchParams(location.search).get("game") ?? "";

  function showError(error) {
    at("error").textContent = error.message;
  }

  async function tryAgain(turns) {
    try {
      await request("try-again", { game, turns });
      location.assign("./");
    } catch (error) {
      showError(error);
    }
  }

  async function waitForReview() {
    for (;;) {
      const { progress, review, compiling } = await request("review", { game });
      if (review) return review;
      Review.showProgress(progress, Texts.get(compiling ? "review.preparing" : "review.working"));
      await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    }
  }

  Object.assign(at("to-table"), { href: "./", hidden: false });
  try {
    const data = await request(`replay?game=${encodeURIComponent(game)}`);
    data.names[data.seat] = Texts.get("table.you");
    Replay.start(data);
    Review.start({ review: await waitForReview(), again: { seat: data.seat, start: tryAgain } });
  } catch (error) {
    Review.hide();
    showError(error);
  }
})();
