// Which turn is shown: chosen by buttons, keys, the slider or the address, or moving on by itself.
const Stepper = (() => {
  let [shown, last] = [0, 0];
  let timer = null;
  let playing = false;
  let grows = false; // whether more turns may come
  let onChange = () => {};

  function go(turn) {
    const next = Math.min(Math.max(turn, 0), last);
    if (next === shown) return;
    const before = shown;
    shown = next;
    if (addressedTurn() !== shown) history.replaceState(null, "", `#${shown}`);
    update();
    onChange(shown, before);
  }

  function update() {
    const slider = at("turn");
    [slider.max, slider.value] = [last, shown];
    // Not `disabled`: a disabled button loses the focus.
    at("first").ariaDisabled = at("previous").ariaDisabled = String(shown === 0);
    at("last").ariaDisabled = at("next").ariaDisabled = String(shown === last);
    at("play").setAttribute("aria-pressed", playing);
    at("play").setAttribute("aria-label", playing ? "Pause" : "Play on");
  }

  // "#12" is the table after 12 turns.
  function addressedTurn() {
    const turn = Number.parseInt(location.hash.slice(1), 10);
    return Number.isNaN(turn) ? null : turn;
  }

  function play() {
    if (shown === last && !grows) go(0);
    playing = true;
    schedule();
    update();
  }

  // At the end of a game that is still played, it waits for the next turn.
  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      go(shown + 1);
      if (shown < last || grows) schedule();
      else pause();
    }, Number(at("speed").value)); // milliseconds
  }

  function pause() {
    clearTimeout(timer);
    playing = false;
    update();
  }

  // A step by hand ends the movement.
  function step(turn) {
    pause();
    go(turn);
  }

  const KEYS = {
    ArrowLeft: () => step(shown - 1),
    ArrowRight: () => step(shown + 1),
    Home: () => step(0),
    End: () => step(last),
    " ": () => (playing ? pause() : play()),
  };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (event.target.closest("select,summary,textarea")) return;
    if (event.key === " " && event.target.closest("button,a,input")) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  // A game that is being played has another last turn, and perhaps more to come.
  function setLast(turn, moreToCome) {
    [last, grows] = [turn, moreToCome];
    update();
  }

  function start(lastTurn, listener) {
    [last, onChange] = [lastTurn, listener];
    at("speed").addEventListener("change", () => playing && schedule());
    document.addEventListener("keydown", onKey);
    const buttons = { first: "Home", previous: "ArrowLeft", play: " ", next: "ArrowRight", last: "End" };
    for (const [id, key] of Object.entries(buttons)) at(id).addEventListener("click", KEYS[key]);
    at("turn").addEventListener("input", () => step(at("turn").valueAsNumber));
    window.addEventListener("hashchange", () => step(addressedTurn() ?? shown));
    shown = Math.min(Math.max(addressedTurn() ?? 0, 0), last);
    update();
  }

  return { start, step, setLast, play, get shown() { return shown; }, get last() { return last; } };
})();
