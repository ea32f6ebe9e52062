// Requests to the server. An error has a text for the user, and the status of the answer.
const Server = (() => {
  async function request(path, options) {
    let response;
    let answer;
    try {
      response = await fetch(path, options);
      answer = await response.json();
    } catch {
      throw new Error("The server does not answer. Start the command again, and open the address that it prints.");
    }
    if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
    return answer;
  }

  const get = (path) => request(path);
  const post = (path, body) => request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

  const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  const showError = (error) => { at("error").textContent = error.message; };

  // Shows the error of an action, after `onError`.
  async function attempt(action, onError = () => {}) {
    try {
      await action();
    } catch (error) {
      onError();
      showError(error);
    }
  }

  return { get, post, pause, showError, attempt };
})();
