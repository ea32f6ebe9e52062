"""The tableau of a player in a round, and its points."""

from collections.abc import Iterable
from typing import NamedTuple

from mindup_env.cards import card_of
from mindup_env.engine.state import NUM_COLUMNS

Tableau = tuple[tuple[int, ...], ...]  # the cards of each column, in the order placed


class RoundScore(NamedTuple):
    """The points of one player in a round, by their source."""

    colour_points: int
    bonus_points: int
    objective_points: int

    @property
    def total(self) -> int:
        return sum(self)

    def to_dict(self) -> dict[str, int]:
        """The parts and their total, as plain data."""
        return {**self._asdict(), "total": self.total}


def tableau_of(cards: Iterable[int]) -> Tableau:
    """The five columns, left to right, of cards in the order in which they were placed."""
    columns: dict[str, list[int]] = {}  # a new colour opens the leftmost empty column
    for card in cards:
        columns.setdefault(card_of(card).colour, []).append(card)
    return (*map(tuple, columns.values()), *[()] * (NUM_COLUMNS - len(columns)))
