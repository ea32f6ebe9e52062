"use strict";

// Requests to the server. Those that change the current game name the turn that they are for.
const Requests = (() => {
  async function send(path, options) {
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

  const get = (path) => send(path);
  const post = (path, { game_id, turns_played }, body) => send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ game_id, turns_played, ...body }),
  });
  const remove = (game) => send("delete", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ saved_game: game }),
  });

  const sameTurn = (one, other) => (
    one.game_id === other.game_id && one.turns_played === other.turns_played);
  const nextTurn = (from, to) => (
    to.game_id === from.game_id && to.turns_played === from.turns_played + 1);

  return { get, post, remove, sameTurn, nextTurn };
})();
