// Draws the state of a table: objectives, the row of prizes, and each player's panel.
//
// `view` says how: deck, names, bots and person (the seat that the texts call "you", or null). Each
// of these can be left out: showHidden (whether the cards are face up that only their owner knows);
// played: the cards of this turn, [{player, card}], in the order of the prizes above them, with
// null for an empty slot; evaluations: hands show the value of each card. Only during a turn:
// chosen (by player, the card in front of it, null if face down), landed (the placements of this
// turn so far), breakdown (show points of columns). Only between turns: brings (show what each
// prize would bring). For learners: slotLabels (which card each slot is for), goal (of the game).
import * as Cards from "./cards.js";
import * as Objectives from "./objectives.js";
import { element, list, mark, signed } from "./page.js";
import * as Panel from "./panel.js";

export const progress = ({ over, round, num_rounds: rounds, turn, num_turns: turns }) => (
  over ? "The game is over" : `Round ${round} of ${rounds} · turn ${turn} of ${turns}`);

// Who won.
export function result({ winners }, { names, person }) {
  const others = winners.filter((player) => player !== person).map((player) => names[player]);
  if (!winners.includes(person)) return `${list(others)} won`;
  return others.length ? `You share the victory with ${list(others)}` : "You won!";
}

// With `ownRoot`, the person's own tableau goes there, and the others follow in turn.
export function draw(root, table, view, ownRoot = null) {
  const seats = table.players.map((_, seat) => seat);
  const others = ownRoot ? seats.map((after) => (view.person + 1 + after) % seats.length) : seats;
  const panels = others.map((player) => (
    Panel.draw(table, view, player, ownRoot !== null && player === view.person)));
  if (ownRoot) ownRoot.replaceChildren(panels.pop());
  root.replaceChildren(middle(table, view), ...panels);
  root.dataset.players = table.players.length; // styles depend on their number
  root.style.setProperty("--players", table.players.length);
}

const middle = (table, view) => element(
  "section",
  { class: "middle", "aria-label": "The middle of the table" },
  table.objectives.length > 0 && Objectives.drawFold(table, view),
  row(table, view),
  table.last_turn && element("section", "last-turn",
    element("h2", "", "Last turn"), turnParts(table.last_turn, view)),
);

// A prize taken in this turn lies in a tableau already; its place shows what it brought, and whom.
const row = (table, view) => element(
  "ol",
  { class: "row", "aria-label": "Prizes, the lowest first" },
  table.row.map(({ prize, played_by: player, brings, taken }, place) => element(
    "li",
    taken ? "prize taken" : "prize",
    Cards.card(view.deck, prize, !taken),
    view.played && element("span", "outcome",
      taken ? Cards.gain(taken) : view.brings && promise(brings[view.person])),
    element("span", "caption", view.played?.[place] ? view.names[view.played[place].player]
      : origin(player, view)),
    view.played && slot(view, place),
  )),
);

// What a prize would bring the person. While it has the focus or the mouse, its column is lit.
const promise = (brings) => element(
  "span",
  {
    class: "promise", role: "img", tabindex: 0, "data-column": brings.column,
    "aria-label": `would bring you ${Cards.gainWords(brings)}, column ${brings.column + 1}`,
    title: `would bring you ${Cards.gainText(brings)}`,
  },
  signed(brings.points),
);

function origin(player, { names, person }) {
  if (player === null) return "deck";
  return [element("span", "wide", "by "), player === person ? "you" : names[player]];
}

function slot({ deck, played, slotLabels }, place) {
  const play = played[place];
  const face = play ? Cards.card(deck, play.card)
    : element("div", "empty-slot", slotLabels?.[place]);
  if (play) face.dataset.playedBy = play.player;
  return element("div", "played", face);
}

// A turn that was played: who played which card, took which prize, and got which points; and the
// last cards, which go into their owners' tableaux, if it ended a round.
export function turnParts({ plays, last_cards: lastCards }, view) {
  const face = (card) => Cards.card(view.deck, card, false);
  const takes = () => (
    element("span", { class: "takes", role: "img", "aria-label": "takes" }, "\u2192"));
  const line = (player, ...cells) => element(
    "li",
    player === view.person ? "own" : "",
    element("span", "player-name", mark(view.names, player), view.names[player]),
    cells,
  );
  return [
    element("ol", "turn-plays", plays.map((play) => (
      line(play.player, face(play.card), takes(), face(play.prize), Cards.gain(play))))),
    lastCards && element("ol", "turn-plays last-cards", lastCards.map((placed) => line(
      placed.player,
      element("span", "takes", "last card"), face(placed.card), Cards.gain(placed)))),
  ];
}
