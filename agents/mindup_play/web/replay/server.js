"use strict";

// Requests of a served page: GET, or with a body POST. An error has a text for the user.
const Server = (() => {
  async function request(path, body) {
    const options = body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      throw new Error(Texts.get("error.no_server"));
    }
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.key ? Texts.get(answer.key, answer.values) : answer.error);
    return answer;
  }

  return { request };
})();
