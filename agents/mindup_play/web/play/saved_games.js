"use strict";

// The list of saved games on the new-game screen: unfinished ones go on, finished ones are looked at.
const SavedGames = (() => {
  let resumed = null;

  // Draws all but those on the page. The dialog closes with "resume" for the game that the
  // returned function names.
  function draw(games, onPage, dialog) {
    resumed = null;
    const others = games.filter(({ game_id: id }) => !onPage.includes(id));
    at("saved-games").replaceChildren(...others.map((game) => row(game, onPage, dialog)));
    at("no-saved-games").hidden = others.length > 0;
    return () => resumed;
  }

  const row = (game, onPage, dialog) => element(
    "li",
    "saved-game",
    element("div", "", element("b", "", title(game)), element("small", "", details(game))),
    ...(game.readable ? [opener(game, dialog)] : []),
    remover(game, onPage, dialog),
  );

  function title({ readable, over, won, points, round, turn }) {
    if (!readable) return Texts.get("saved_games.unreadable");
    const result = Texts.get(won ? "saved_games.won" : "saved_games.not_won", { count: points });
    return over ? result : Texts.get("saved_games.unfinished", { round, turn, count: points });
  }

  function details({ readable, names, seat, saved_at }) {
    const time = new Date(saved_at * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    if (!readable) return time;
    const others = names.filter((_, player) => player !== seat);
    return Texts.get("saved_games.details", { names: Texts.list(others), time });
  }

  function opener({ game_id: id, over }, dialog) {
    if (over) return element("a", { class: "button", href: `?game=${id}` }, Texts.get("saved_games.open"));
    return button(Texts.get("saved_games.resume"), () => {
      resumed = id;
      dialog.close("resume");
    });
  }

  function remover({ game_id: id }, onPage, dialog) {
    const title = Texts.get("saved_games.delete");
    const made = button("\u2715", remove, { class: "delete", "aria-label": title, title });
    async function remove() {
      if (!await Dialogs.ask(Texts.get("saved_games.delete_question"), title)) return;
      try {
        draw((await Server.post("delete", { saved_game: id })).games, onPage, dialog);
      } catch (error) {
        made.replaceWith(element("small", "failed", error.message));
      }
    }
    return made;
  }

  return { draw };
})();
