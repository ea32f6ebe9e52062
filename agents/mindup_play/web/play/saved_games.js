"use strict";

// The list of saved games on the new-game screen: unfinished ones go on, finished ones are looked at.
const SavedGames = (() => {
  const { element } = Cards;
  const list = document.getElementById("saved-games");
  let resumed = null;

  // Draws all but those on the page. The dialog closes with "resume" for the game that the
  // returned function names.
  function draw(games, onPage, dialog) {
    resumed = null;
    const others = games.filter(({ game_id: id }) => !onPage.includes(id));
    list.replaceChildren(...others.map((game) => row(game, onPage, dialog)));
    document.getElementById("no-saved-games").hidden = others.length > 0;
    return () => resumed;
  }

  function row(game, onPage, dialog) {
    const item = element("li", "saved-game");
    const text = element("div");
    text.append(element("b", "", title(game)), element("small", "", details(game)));
    item.append(text, ...(game.readable ? [opener(game, dialog)] : []), remover(game, onPage, dialog));
    return item;
  }

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

  function opener({ game_id: id, over, names }, dialog) {
    if (over) {
      const link = element("a", "button", Texts.get("saved_games.open"));
      link.href = `?game=${id}`;
      return link;
    }
    const button = element("button", "", Texts.get("saved_games.resume"));
    button.type = "button";
    button.addEventListener("click", () => {
      resumed = id;
      dialog.close("resume");
    });
    return button;
  }

  function remover({ game_id: id }, onPage, dialog) {
    const button = element("button", "delete", "\u2715");
    button.type = "button";
    button.setAttribute("aria-label", Texts.get("saved_games.delete"));
    button.title = Texts.get("saved_games.delete");
    button.addEventListener("click", async () => {
      if (!await Dialogs.ask(Texts.get("saved_games.delete_question"), Texts.get("saved_games.delete"))) return;
      try {
        draw((await Requests.remove(id)).games, onPage, dialog);
      } catch (error) {
        button.replaceWith(element("small", "failed", error.message));
      }
    });
    return button;
  }

  return { draw };
})();
