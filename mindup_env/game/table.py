"""A table drawn with letters, whoever describes it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindup_env.cards import Deck
from mindup_env.config import GameConfig
from mindup_env.objectives import OBJECTIVES

_POINTS_MARK = {-1: "-", 0: "", 1: "+", 2: "++"}
_BY_ID = {objective.id: objective for objective in OBJECTIVES}


class Player(NamedTuple):
    """A player, and the words for the player and the hand."""

    name: str
    short_name: str
    hand_name: str
    tableau: Sequence[Sequence[int]]  # the cards of each column
    running_score: int
    score: int
    known: Sequence[int]
    hidden: Sequence[int | None]  # None for a card that the reader does not know


class Table(NamedTuple):
    """All that is drawn. Players go by their places in ``players``."""

    config: GameConfig
    round: int
    turn: int
    winners: Sequence[int]  # none before the end
    objectives: Sequence[tuple[str, Sequence[int]]]  # the id, and who meets it
    row: Sequence[tuple[int, int | None]]  # the prize, and who played it
    score_cards: Sequence[int]
    players: Sequence[Player]


def draw(table: Table) -> str:
    blocks = [_headline(table), _objectives(table), _row(table), _tableaux(table), _hands(table)]
    return "\n\n".join(block for block in blocks if block)


def _headline(table: Table) -> str:
    if table.winners:
        winners = " and ".join(table.players[player].name for player in table.winners)
        return f"Mind Up!  the game is over: {winners} won"
    rounds, turns = table.config.num_rounds, table.config.hand_size + table.round - 2
    return f"Mind Up!  round {table.round} of {rounds}, turn {table.turn} of {turns}"


def _objectives(table: Table) -> str:
    return objectives_text(table.objectives, [player.short_name for player in table.players])


def objectives_text(objectives: Iterable[tuple[str, Sequence[int]]], names: Sequence[str]) -> str:
    """Each objective's points and condition, and who meets it; empty where there are none."""
    lines = []
    for id_, meeting in objectives:
        state = f"met by {', '.join(names[player] for player in meeting) or 'nobody'}"
        lines.append([f"{_BY_ID[id_].points:+d}", _BY_ID[id_].condition, state])
    return f"objectives\n{aligned(lines)}" if lines else ""


def _row(table: Table) -> str:
    cards = [str(table.config.deck[number]) for number, _ in table.row]
    played_by = [
        "from the deck" if player is None else table.players[player].name for _, player in table.row
    ]
    return aligned([["prizes", *cards], ["played by", *played_by]])


def _tableaux(table: Table) -> str:
    values = (f"[{value}]" for value in table.score_cards)
    lines = [["score cards", *values, "in this tableau", "finished rounds"]]
    for player in table.players:
        columns = columns_text(table.config.deck, player.tableau)
        lines.append([player.name, *columns, str(player.running_score), str(player.score)])
    return aligned(lines)


def columns_text(deck: Deck, tableau: Iterable[Sequence[int]]) -> list[str]:
    return [
        f"{deck[cards[0]].colour} {' '.join(_marked(deck, card) for card in cards)}"
        if cards
        else "."
        for cards in tableau
    ]


def _hands(table: Table) -> str:
    if table.winners:
        return ""
    deck, lines = table.config.deck, []
    for player in table.players:
        cards = [_marked(deck, card) for card in player.known]
        cards += ["(?)" if card is None else f"({_marked(deck, card)})" for card in player.hidden]
        lines.append([player.hand_name, " ".join(cards)])
    legend = "( ) only its owner knows   + ++ - bonus or malus of a card"
    return f"{aligned(lines)}\n{legend}"


def _marked(deck: Deck, number: int) -> str:
    points = deck[number].points
    return f"{number}{_POINTS_MARK.get(points, f'{points:+d}')}"


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Cells in columns of even width."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
