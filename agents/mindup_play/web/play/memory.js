// The turn of a game. Requests that change the current game name the turn that they are for.
const Turn = {
  of: ({ game_id, turns_played }) => ({ game_id, turns_played }),
  isSame: (one, other) => one.game_id === other.game_id && one.turns_played === other.turns_played,
  isNext: (from, to) => Turn.isSame({ ...from, turns_played: from.turns_played + 1 }, to),
  post: (path, state, body) => Server.post(path, { turn: Turn.of(state), ...body }),
};

// What the person has chosen for this computer: cookies, which are the same for all ports.
const Choices = (() => {
  const PREFIX = "mindup-";

  function get(name) {
    const found = document.cookie.split("; ").find((each) => each.startsWith(`${PREFIX}${name}=`));
    return found?.slice(found.indexOf("=") + 1) ?? null;
  }

  function set(name, value) {
    document.cookie = `${PREFIX}${name}=${value}; path=/; max-age=31536000; samesite=strict`;
  }

  const setOn = (name, on) => set(name, on ? "on" : "off");

  // A checkbox that keeps "on" or "off"; `onChange` gets whether it is on.
  function bind(checkbox, name, isOn, onChange) {
    checkbox.checked = isOn;
    checkbox.addEventListener("change", () => {
      setOn(name, checkbox.checked);
      onChange(checkbox.checked);
    });
  }

  return { get, set, setOn, bind };
})();

// What this tab remembers over a reload. A value that is kept for a turn is forgotten after it.
const Memory = (() => {
  const PREFIX = "mindup-";

  function keep(name, value) {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch { /* without storage a reload forgets */ }
  }

  function recall(name, otherwise = null) {
    try {
      return JSON.parse(sessionStorage.getItem(PREFIX + name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  const keepForTurn = (name, state, value) => keep(name, { turn: Turn.of(state), value });

  function recallForTurn(name, state) {
    const kept = recall(name);
    return kept && Turn.isSame(kept.turn, state) ? kept.value : null;
  }

  return { keep, recall, keepForTurn, recallForTurn };
})();
