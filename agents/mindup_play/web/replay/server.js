"use strict";

// Requests of a served page: GET, or with a body POST. An error has a text for the user, and the
// status of the answer.
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
    if (!response.ok) {
      const message = answer.key ? Texts.get(answer.key, answer.values) : answer.error;
      throw Object.assign(new Error(message), { status: response.status });
    }
    return answer;
  }

  return { request };
})();
