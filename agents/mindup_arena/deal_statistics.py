"""The statistics of each deal, whose means over the deals are reported."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Floats
from mindup_arena.match import MatchResults
from mindup_arena.ratings import Choices, count_choices
from mindup_arena.schedule import Match
from mindup_env.engine.state import Int64Array

WIN_SHARE = "win_share"
MEANS: dict[str, Callable[[MatchResults], Floats]] = {
    "mean_score": lambda results: results.scores.astype(np.float64),
    "mean_rank": lambda results: results.mean_ranks,
    "margin": lambda results: results.margins,
}


class DealStatistics(NamedTuple):
    """The statistics of each deal; win shares are from 0 to 1."""

    seats: Int64Array  # (bots,) in which a bot plays each deal
    win_shares: Floats  # (deals, bots)
    means: dict[str, Floats]  # each (deals, bots)
    duels: Floats  # (deals, duels) the win share of the one
    choices: Choices


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
    win_shares = [each.win_shares for each in results]
    means = {name: [measure(each) for each in results] for name, measure in MEANS.items()}
    return DealStatistics(
        _seats(matches, num_bots),
        _means(matches, win_shares, num_bots),
        {name: _means(matches, values, num_bots) for name, values in means.items()},
        np.stack(
            [win_shares[duel.match][..., duel.place].mean(axis=1) for duel in find_duels(matches)],
            axis=-1,
        ),
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


def _seats(matches: Sequence[Match], num_bots: int) -> Int64Array:
    """In how many seats each bot plays a deal (bots,): there is a rotation for each place."""
    by_match = [len(match) * np.bincount(match, minlength=num_bots) for match in matches]
    return np.sum(by_match, axis=0)


def _means(matches: Sequence[Match], values: Sequence[Floats], num_bots: int) -> Floats:
    """For each deal the mean over all seats that a bot takes (deals, bots)."""
    sums = np.zeros((len(values[0]), num_bots))
    for match, value in zip(matches, values, strict=True):
        by_place = value.sum(axis=1)  # (deals, places), of all rotations
        for place, bot in enumerate(match):
            sums[:, bot] += by_place[:, place]
    return sums / _seats(matches, num_bots)
