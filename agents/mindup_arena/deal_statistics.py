"""All that is estimated, as numbers for each deal: columns whose means over the deals count."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mindup_arena.choices import Choices, choices
from mindup_arena.measures import MEASURES, WIN_SHARE, Floats
from mindup_arena.schedule import LineUp
from mindup_arena.tables import GameResults


class DealStatistics(NamedTuple):
    """For each deal, or their means over all deals or over resamples of them."""

    measures: dict[str, Floats]  # each (..., bots)
    cross_table: Floats  # (..., cells) the win share of the one
    choices: Choices

    def columns(self) -> Floats:
        """Side by side."""
        parts = *self.measures.values(), self.cross_table, self.choices.made, self.choices.taken
        return np.concatenate(parts, axis=-1)

    def with_columns(self, columns: Floats) -> "DealStatistics":
        """The same sheet with other numbers, such as their means."""
        parts = *self.measures.values(), self.cross_table, self.choices.made, self.choices.taken
        ends = np.cumsum([part.shape[-1] for part in parts])
        *measures, cross_table, made, taken = np.split(columns, ends[:-1], axis=-1)
        return DealStatistics(
            dict(zip(self.measures, measures, strict=True)),
            cross_table,
            Choices(self.choices.copies, made, taken),
        )


class Cell(NamedTuple):
    """A place of the cross table, and where its games are found."""

    one: int
    field: int
    line_up: int
    place: int


def make_deal_statistics(
    line_ups: Sequence[LineUp], played: Sequence[GameResults], num_bots: int
) -> DealStatistics:
    """The sheet of each deal, from what each line-up played."""
    cells = [
        MEASURES[WIN_SHARE](played[cell.line_up])[..., cell.place].mean(axis=1)
        for cell in cross_cells(line_ups)
    ]
    return DealStatistics(
        {
            name: _means(line_ups, [of(each) for each in played], num_bots)
            for name, of in MEASURES.items()
        },
        np.stack(cells, axis=-1),
        choices(line_ups, [each.ranks for each in played], num_bots),
    )


def cross_cells(line_ups: Sequence[LineUp]) -> list[Cell]:
    """Every line-up of one bot against copies of another; one against one has two sides."""
    found = []
    for index, line_up in enumerate(line_ups):
        if len(set(line_up)) == 2:
            found.append(Cell(line_up[0], line_up[1], index, 0))
            if len(line_up) == 2:
                found.append(Cell(line_up[1], line_up[0], index, 1))
    return found


def _means(line_ups: Sequence[LineUp], values: Sequence[Floats], num_bots: int) -> Floats:
    """For each deal the mean over all seats that a bot takes (deals, bots)."""
    sums, seats = np.zeros((len(values[0]), num_bots)), np.zeros(num_bots)
    for line_up, value in zip(line_ups, values, strict=True):
        by_place = value.sum(axis=1)  # (deals, places), of all rotations
        for place, bot in enumerate(line_up):
            sums[:, bot] += by_place[:, place]
            seats[bot] += value.shape[1]
    return sums / seats
