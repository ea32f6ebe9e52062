// The person's games: results by kind of table, what choices cost from game to game, and all games:
// unfinished ones go on, finished ones are looked at.
import * as Graph from "./graph.js";
import { at, button, change, counted, decimals, element, list, percent } from "./page.js";
import { row, table } from "./scores.js";

// The current game, whose state this is, is left out of the list. The dialog closes with the id of
// a game that goes on.
export function draw({ games, results }, current, dialog) {
  at("results").replaceChildren(...(results.length ? [resultsTable(results)] : []));
  at("costs").replaceChildren(...costsGraph(games));
  const others = games.filter(({ game_id: id }) => id !== current.game_id);
  at("no-saved-games").hidden = games.length > 0;
  at("saved-games").replaceChildren(...others.map((game) => {
    const { game_id: id, readable, over } = game;
    const open = over ? element("a", { class: "button", href: `review.html?game=${id}` }, "Review")
      : button("Continue", () => dialog.close(id));
    const text = element("div", "", element("b", "", title(game)),
      element("small", "", details(game)));
    return element("li", "saved-game", text, readable && open, remover(id, current, dialog));
  }));
}

// "38 %" above its interval, for each number of players, objectives and kinds of bots.
function resultsTable(results) {
  const rows = results.map((kind) => {
    const { players, objectives, bots, games, win_share: share, interval, place, cost } = kind;
    const count = objectives ? `, ${counted(objectives, "objective")}` : "";
    const name = [`${players} players${count}`, element("small", "", list(bots))];
    const ends = interval.map((end) => percent(end)).join("–");
    const won = [percent(share), element("small", "", ends)];
    return row(name, [games, won, decimals(place, 1), cost === null ? "–" : percent(-cost)]);
  });
  return table("figures", ["Table", "Games", "Won", "Place", "Choices"], rows);
}

function costsGraph(games) {
  const costs = games.map(({ cost }) => cost ?? null).filter((cost) => cost !== null).reverse();
  if (costs.length < 2) return [];
  const axis = "reviewed games: what your choices cost";
  return [Graph.draw([costs], {
    shown: costs.length - 1, last: costs.length - 1, names: ["in the last"], rounds: [],
    format: (cost) => percent(cost), height: 180, label: axis, axis,
    range: [Math.min(0, ...costs), Math.max(0.2, ...costs)],
  }, () => {})];
}

function title({ readable, over, place, bots, points, round, turn }) {
  if (!readable) return "This game cannot be read";
  const now = over ? `Place ${place} of ${bots.length + 1}` : `Round ${round}, turn ${turn}`;
  return `${now} \u00b7 ${counted(points, "point")}`;
}

function details({ readable, bots, cost, saved_at: seconds }) {
  const style = { dateStyle: "medium", timeStyle: "short" };
  const time = new Date(seconds * 1000).toLocaleString("en", style);
  if (!readable) return time;
  const costs = cost === null ? "" : ` · choices ${percent(-cost)}`;
  return `${list(bots)}${costs} · ${time}`;
}

function remover(id, current, dialog) {
  const made = button("\u2715", async () => {
    if (!confirm("Delete this game? It cannot be brought back.")) return;
    try {
      draw(await change("delete", current, { saved_game: id }), current, dialog);
    } catch (error) {
      made.replaceWith(element("small", "failed", error.message));
    }
  }, { class: "delete", "aria-label": "Delete", title: "Delete" });
  return made;
}
