// The turn of a game. Requests that change the current game name the turn that they are for.
const Turn = {
  of: ({ game_id, turns_played }) => ({ game_id, turns_played }),
  isSame: (one, other) => one.game_id === other.game_id && one.turns_played === other.turns_played,
  isNext: (from, to) => Turn.isSame({ ...from, turns_played: from.turns_played + 1 }, to),
  post: (path, state, body) => Server.post(path, { game: state.game_id, turn: state.turns_played, ...body }),
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

  // Whether a checkbox of the settings is checked, by its id.
  const isOn = (id) => at(id).checked;

  function setOn(id, on) {
    at(id).checked = on;
    set(id, on ? "on" : "off");
  }

  for (const box of document.querySelectorAll("#settings-dialog [type=checkbox]")) {
    box.checked = (get(box.id) ?? (box.defaultChecked ? "on" : "")) === "on";
    box.addEventListener("change", () => setOn(box.id, box.checked));
  }

  return { get, set, isOn, setOn };
})();

// What this tab remembers over a reload, until the next turn.
const Memory = (() => {
  const PREFIX = "mindup-";

  function keep(name, state, value) {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify({ turn: Turn.of(state), value }));
    } catch { /* without storage a reload forgets */ }
  }

  function recall(name, state) {
    try {
      const { turn, value } = JSON.parse(sessionStorage.getItem(PREFIX + name));
      return Turn.isSame(turn, state) ? value : null;
    } catch {
      return null; // nothing is kept
    }
  }

  return { keep, recall };
})();
