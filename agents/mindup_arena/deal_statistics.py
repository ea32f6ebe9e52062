"""The statistics of each deal: columns of numbers, whose means over the deals are reported."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Floats
from mindup_arena.match import MatchResults
from mindup_arena.ratings import Choices, count_choices
from mindup_arena.schedule import Match

WIN_SHARE = "win_share"
MEASURES: dict[str, Callable[[MatchResults], Floats]] = {
    WIN_SHARE: lambda results: 100 * results.win_shares,  # per cent
    "mean_score": lambda results: results.scores.astype(np.float64),
    "mean_rank": lambda results: results.mean_ranks,
    "margin": lambda results: results.margins,
}


class DealStatistics(NamedTuple):
    """Of each deal, or their means over all deals or over resamples of them."""

    measures: dict[str, Floats]  # each (..., bots)
    duels: Floats  # (..., duels) the win share of the one
    choices: Choices

    def columns(self) -> Floats:
        """All numbers side by side (..., columns)."""
        parts = *self.measures.values(), self.duels, self.choices.made, self.choices.taken
        return np.concatenate(parts, axis=-1)

    def with_columns(self, columns: Floats) -> "DealStatistics":
        """The same statistics with other numbers, such as their means."""
        parts = *self.measures.values(), self.duels, self.choices.made, self.choices.taken
        ends = np.cumsum([part.shape[-1] for part in parts])
        *measures, duels, made, taken = np.split(columns, ends[:-1], axis=-1)
        return DealStatistics(
            dict(zip(self.measures, measures, strict=True)),
            duels,
            Choices(self.choices.copies, made, taken),
        )


class Duel(NamedTuple):
    """One bot against copies of another, and the match and place where the one plays."""

    one: int
    field: int
    match: int
    place: int


def make_deal_statistics(
    matches: Sequence[Match], results: Sequence[MatchResults], num_bots: int
) -> DealStatistics:
    """The statistics of each deal, from the results of each match."""
    win_shares = [
        MEASURES[WIN_SHARE](results[duel.match])[..., duel.place].mean(axis=1)
        for duel in find_duels(matches)
    ]
    return DealStatistics(
        {
            name: _means(matches, [measure(each) for each in results], num_bots)
            for name, measure in MEASURES.items()
        },
        np.stack(win_shares, axis=-1),
        count_choices(matches, [each.ranks for each in results], num_bots),
    )


def find_duels(matches: Sequence[Match]) -> list[Duel]:
    """Every match of one bot against copies of another; one against one is two duels."""
    found = []
    for index, match in enumerate(matches):
        if len(set(match)) == 2:
            found.append(Duel(match[0], match[1], index, 0))
            if len(match) == 2:
                found.append(Duel(match[1], match[0], index, 1))
    return found


def _means(matches: Sequence[Match], values: Sequence[Floats], num_bots: int) -> Floats:
    """For each deal the mean over all seats that a bot takes (deals, bots)."""
    sums, seats = np.zeros((len(values[0]), num_bots)), np.zeros(num_bots)
    for match, value in zip(matches, values, strict=True):
        by_place = value.sum(axis=1)  # (deals, places), of all rotations
        for place, bot in enumerate(match):
            sums[:, bot] += by_place[:, place]
            seats[bot] += value.shape[1]
    return sums / seats
