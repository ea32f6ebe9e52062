"""Games as choices: who took the next place, out of which bots."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple, Self

import numpy as np

from mindup_arena.measures import Floats
from mindup_arena.schedule import LineUp
from mindup_env.engine.state import Int64Array

Copies = tuple[int, ...]
"""How many copies of each bot are left."""


class Choices(NamedTuple):
    """How often a place was taken from each set of bots, and by each bot.

    A set of copies of one bot is no choice, and is left out.
    """

    copies: Int64Array  # (sets, bots) what each set holds
    made: Floats  # (..., sets)
    taken: Floats  # (..., bots)

    def times(self, factor: float) -> Self:
        return self._replace(made=self.made * factor, taken=self.taken * factor)


def choices(line_ups: Sequence[LineUp], ranks: Sequence[Int64Array], num_bots: int) -> Choices:
    """The choices of each deal; ``ranks`` (deals, rotations, places) are those of a line-up."""
    sets = sorted({found for line_up in line_ups for found in choice_sets(line_up, num_bots)})
    index = {found: place for place, found in enumerate(sets)}
    made = np.zeros((len(ranks[0]), len(sets)))
    taken = np.zeros((len(ranks[0]), num_bots))
    for line_up, of_games in zip(line_ups, ranks, strict=True):
        # Few of the ways in which a game can end are different: each is looked at once.
        ends, which = np.unique(of_games.reshape(-1, len(line_up)), axis=0, return_inverse=True)
        made_by_end = np.zeros((len(ends), len(sets)))
        taken_by_end = np.zeros((len(ends), num_bots))
        for end, row in enumerate(ends.tolist()):
            for weight, left, bot in places_taken(line_up, row, num_bots):
                if left in index:
                    made_by_end[end, index[left]] += weight
                    taken_by_end[end, bot] += weight
        of_deals = which.reshape(of_games.shape[:2])  # (deals, rotations)
        made += made_by_end[of_deals].sum(axis=1)
        taken += taken_by_end[of_deals].sum(axis=1)
    return Choices(np.array(sets, np.int64), made, taken)


def choice_sets(line_up: LineUp, num_bots: int) -> Iterator[Copies]:
    """All that can be left of a line-up while there is a choice."""
    for left in product(*(range(line_up.count(bot) + 1) for bot in range(num_bots))):
        if np.count_nonzero(left) > 1:
            yield left


def places_taken(
    line_up: LineUp, ranks: list[int], num_bots: int
) -> Iterator[tuple[float, Copies, int]]:
    """The choices of one game: their weights, the sets and who was chosen.

    Seats that tie could have finished in any order, and each order counts for an equal part.
    """
    for rank in sorted(set(ranks)):
        tied = [bot for bot, own in zip(line_up, ranks, strict=True) if own == rank]
        worse = [bot for bot, own in zip(line_up, ranks, strict=True) if own > rank]
        for size in range(1, len(tied) + 1):
            groups = list(combinations(tied, size))
            for group in groups:
                left = [*group, *worse]
                copies = tuple(left.count(bot) for bot in range(num_bots))
                for bot in group:
                    yield 1 / (len(groups) * size), copies, bot
