"use strict";

// A turn that was played: who played which card, took which prize, and got which points.
const Turns = (() => {
  const { element, card } = Cards;

  function list(turn, view) {
    const made = element("ol", "turn-plays");
    for (const play of turn.plays) {
      made.append(line(view, play.player, [
        card(view.deck, play.card, false),
        takes(),
        card(view.deck, play.prize, false),
        Points.bubble(play),
      ]));
    }
    return made;
  }

  // "takes", or an arrow where there is little room.
  function takes() {
    const made = element("span", "takes");
    const arrow = element("span", "narrow", "\u2192");
    arrow.setAttribute("aria-hidden", "true");
    made.append(element("span", "wide", Texts.get("table.takes")), arrow);
    return made;
  }

  // The cards left over at the end of a round, which go into their owners' tableaux.
  function lastCards(turn, view) {
    const made = element("ol", "turn-plays last-cards");
    for (const placed of turn.last_cards) {
      made.append(line(view, placed.player, [
        element("span", "takes", Texts.get("table.last_card")),
        card(view.deck, placed.card, false),
        Points.bubble(placed),
      ]));
    }
    return made;
  }

  // The points that objectives brought at the end of a round; `scores` are those of the players.
  function objectivePoints(scores, view) {
    const made = element("ol", "turn-plays by-objectives");
    scores.forEach(({ objective_points: points }, player) => {
      if (points === 0) return;
      made.append(line(view, player, [
        element("span", "takes", Texts.get("scores.objectives")),
        Points.pill(points),
      ]));
    });
    return made;
  }

  function line(view, player, cells) {
    const item = element("li", player === view.seat ? "own" : "");
    item.append(element("span", "player-name", view.names[player]), ...cells);
    return item;
  }

  // The parts of a section on a turn: the plays, and the last cards if it ended a round.
  const parts = (turn, view) => (
    turn.last_cards ? [list(turn, view), lastCards(turn, view)] : [list(turn, view)]);

  return { parts, objectivePoints };
})();
