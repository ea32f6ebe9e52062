"""Measures and ratings."""

from collections import Counter
from itertools import combinations, permutations

import choix
import numpy as np
import numpy.typing as npt
import pytest

from mindup_arena.match import MatchResults
from mindup_arena.ratings import (
    POINTS_PER_LOG,
    PRIOR_DEVIATION,
    Choices,
    count_choices,
    fit,
    fit_each,
    ranks_taken,
)
from mindup_arena.schedule import Match

Ints = npt.NDArray[np.int64]

STRENGTHS = np.array([0.9, 0.3, 0.0, -0.4, -0.8])  # logarithms, with mean 0


def test_measures_of_a_game_by_hand() -> None:
    tied = MatchResults(np.array([[[30, 30, 21, 10]]]), np.array([[[0, 0, 2, 3]]]))
    assert tied.win_shares.tolist() == [[[0.5, 0.5, 0, 0]]]
    assert tied.mean_ranks.tolist() == [[[1.5, 1.5, 3, 4]]]
    assert tied.margins == pytest.approx(np.array([[[29 / 3, 29 / 3, -7 / 3, -17]]]))


def drawn_ranks(match: Match, deals: int, random: np.random.Generator) -> Ints:
    """Ranks (deals, rotations, places) by the model: the strengths with Gumbel noise."""
    shape = deals, len(match), len(match)
    heights = STRENGTHS[list(match)] + random.gumbel(size=shape)
    return np.asarray((heights[..., None, :] > heights[..., :, None]).sum(axis=-1))


def total(by_deal: Choices) -> Choices:
    return by_deal._replace(made=by_deal.made.sum(axis=0), taken=by_deal.taken.sum(axis=0))


def test_ratings_recover_planted_strengths_of_bots_and_copies() -> None:
    random = np.random.default_rng(2)
    # One way round only: the other would cancel most of what copies taken for one would do.
    matches = [(one, other, other) for one, other in combinations(range(5), 2)]
    ranks = [drawn_ranks(match, 1000, random) for match in matches]
    ratings = fit(total(count_choices(matches, ranks, 5)))
    assert ratings.mean() == pytest.approx(0)
    assert ratings / POINTS_PER_LOG == pytest.approx(STRENGTHS, abs=0.06)


def test_ratings_without_ties_and_copies_are_those_of_choix() -> None:
    random = np.random.default_rng(3)
    matches = [*combinations(range(5), 4)]
    ranks = [drawn_ranks(match, 2, random) for match in matches]
    rankings = [
        tuple(np.array(match)[np.argsort(game)].tolist())
        for match, match_ranks in zip(matches, ranks, strict=True)
        for game in match_ranks.reshape(-1, 4)
    ]
    expected = choix.opt_rankings(5, rankings, alpha=1 / (2 * PRIOR_DEVIATION**2), tol=1e-10)
    ours = fit(total(count_choices(matches, ranks, 5))) / POINTS_PER_LOG
    assert ours == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_ties_count_every_order_equally() -> None:
    """The choices of a tied game are the mean of those of the games that untie it."""
    match, tied = (0, 1, 1, 2), [1, 0, 1, 1]
    untied = [[order[0], 0, order[1], order[2]] for order in permutations([1, 2, 3])]
    expected: Counter[tuple[tuple[int, ...], int]] = Counter()
    for ranks in untied:
        for weight, left, bot in ranks_taken(match, ranks, 3):
            expected[left, bot] += weight / len(untied)  # type: ignore[assignment]
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for weight, left, bot in ranks_taken(match, tied, 3):
        found[left, bot] += weight  # type: ignore[assignment]
    assert found == pytest.approx(expected)


def test_choices_are_summed_by_deal() -> None:
    ranks = np.array([[[0, 1], [1, 0]], [[0, 1], [0, 1]]])
    found = count_choices([(0, 1)], [ranks], 2)
    assert found.copies.tolist() == [[1, 1]]
    assert found.made.tolist() == [[2], [2]]
    assert found.taken.tolist() == [[1, 1], [2, 0]]


def test_a_bot_that_never_lost_has_a_finite_rating() -> None:
    ranks = np.tile([0, 1], (50, 2, 1))
    ratings = fit(total(count_choices([(0, 1)], [ranks], 2)))
    assert 400 < ratings[0] < 4000


def test_each_resample_is_rated() -> None:
    random = np.random.default_rng(4)
    matches = [(0, 1), (2, 1), (0, 2)]
    ranks = [drawn_ranks(match, 30, random) for match in matches]
    by_deal = count_choices(matches, ranks, 3)
    each = fit_each(by_deal)
    for deal in (0, 7):
        alone = by_deal._replace(made=by_deal.made[deal], taken=by_deal.taken[deal])
        assert each[deal] == pytest.approx(fit(alone), abs=0.1)
