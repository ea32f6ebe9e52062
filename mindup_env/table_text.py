"""The table of one game as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindup_env.checks import whole_number
from mindup_env.objectives import OBJECTIVES

if TYPE_CHECKING:
    from mindup_env.game import Game

_POINTS_MARK = {-1: "-", 0: "", 1: "+", 2: "++"}
_BY_ID = {objective.id: objective for objective in OBJECTIVES}


def table_text(game: Game, viewer: int | None = None) -> str:
    """What lies on the table; all hands, or what ``viewer`` knows of them."""
    if viewer is not None:
        whole_number("viewer", viewer, 0, game.config.num_players - 1)
    blocks = [_headline(game), _objectives(game), _row(game), _tableaux(game), _hands(game, viewer)]
    return "\n\n".join(block for block in blocks if block)


def _headline(game: Game) -> str:
    if game.over:
        winners = " and ".join(f"player {player}" for player in game.winners)
        return f"Mind Up!  the game is over: {winners} won"
    turns = game.config.hand_size + game.round - 2
    return f"Mind Up!  round {game.round} of {game.config.num_rounds}, turn {game.turn} of {turns}"


def _objectives(game: Game) -> str:
    if not game.objectives:
        return ""
    lines = []
    for id_ in game.objectives:
        meeting = [p for p in range(game.config.num_players) if id_ in game.objectives_met(p)]
        state = f"met by {', '.join(map(str, meeting))}" if meeting else "met by nobody"
        lines.append([f"{_BY_ID[id_].points:+d}", _BY_ID[id_].condition, state])
    return "objectives\n" + _aligned(lines)


def _row(game: Game) -> str:
    owner = {}
    if game.plays:
        owner = {card: f"player {player}" for player, card in enumerate(game.plays[-1])}
    cards = [str(game.config.deck[number]) for number in game.row]
    played_by = [owner.get(number, "from the deck") for number in game.row]
    return _aligned([["prizes", *cards], ["played by", *played_by]])


def _tableaux(game: Game) -> str:
    values = (f"[{value}]" for value in game.score_cards)
    lines = [["score cards", *values, "in this tableau", "finished rounds"]]
    for player, (running, score) in enumerate(zip(game.running_scores, game.scores, strict=True)):
        columns = (_column(game, column) for column in game.tableau(player))
        lines.append([f"player {player}", *columns, str(running), str(score)])
    return _aligned(lines)


def _column(game: Game, cards: tuple[int, ...]) -> str:
    if not cards:
        return "."
    colour = game.config.deck[cards[0]].colour
    return f"{colour} {' '.join(_marked(game, card) for card in cards)}"


def _hands(game: Game, viewer: int | None) -> str:
    if game.over:
        return ""
    lines = []
    for player in range(game.config.num_players):
        known = game.known(player)
        hidden = tuple(card for card in game.hand(player) if card not in known)
        seen = viewer is None or viewer == player
        cards = [_marked(game, card) for card in known]
        cards += [f"({_marked(game, card)})" if seen else "(?)" for card in hidden]
        lines.append([f"hand of {player}", " ".join(cards)])
    legend = "( ) only its owner knows   + ++ - bonus or malus of a card"
    return f"{_aligned(lines)}\n{legend}"


def _marked(game: Game, number: int) -> str:
    points = game.config.deck[number].points
    return f"{number}{_POINTS_MARK.get(points, f'{points:+d}')}"


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
