"""Ratings, estimates, and that intervals cover what they promise."""

from collections import Counter
from itertools import combinations, permutations

import choix
import numpy as np
import numpy.typing as npt
import pytest

from mindup_arena import estimate
from mindup_arena.estimate import (
    Estimate,
    Floats,
    estimate_difference,
    estimate_means,
    estimate_shares,
    wilson_interval,
)
from mindup_arena.match import MatchResults
from mindup_arena.play import PlayedChunk
from mindup_arena.ratings import POINTS_PER_LOG, PRIOR_DEVIATION, count_choices, fit, ranks_taken
from mindup_arena.report import Report
from mindup_arena.settings import ArenaSettings, Chunk, Match
from mindup_env import GameConfig

Ints = npt.NDArray[np.int64]

STRENGTHS = np.array([0.9, 0.3, 0.0, -0.4, -0.8])  # logarithms, with mean 0
SIMULATED = 2000


def drawn_shares(share: float, games: int, correlation: float, deals: int) -> Floats:
    """The win shares (deals, simulated) of deals, whose games have a correlation."""
    random, shape = np.random.default_rng(deals), (deals, SIMULATED)
    if correlation > 0:
        weight = 1 / correlation - 1
        chances = random.beta(share * weight, (1 - share) * weight, shape)
        return random.binomial(games, chances) / games
    # In some of the deals as many wins as the share says, as nearly as possible.
    even = np.floor(games * share + random.random(shape))
    wins = random.binomial(games, share, shape)
    return np.where(random.random(shape) < -correlation * (games - 1), even, wins) / games


@pytest.mark.parametrize("deals", [10, 20, 60, 200])
@pytest.mark.parametrize("games", [2, 4])
@pytest.mark.parametrize("correlation", [-0.1, 0.0, 0.1])
def test_intervals_of_shares_cover_the_truth_and_are_not_too_wide(
    deals: int, games: int, correlation: float
) -> None:
    """At most 1.3 times as wide as Wilson's for the true design effect."""
    for share in (0.02, 0.1, 0.5, 0.9, 0.98):
        per_deal = drawn_shares(share, games, correlation, deals)
        found = estimate_shares(per_deal, games)
        assert covered(found, share) > 0.93, share
        if correlation >= 0:
            effect = 1 + (games - 1) * correlation
            independent = np.full(SIMULATED, deals * games / effect)
            low, high = wilson_interval(per_deal.mean(axis=0), independent, 1.96)
            widths = [each.high - each.low for each in found]
            assert np.mean(widths) < 1.3 * (high - low).mean(), share


@pytest.mark.parametrize(("deals", "highest"), [(2, 1.0), (10, 0.13), (200, 0.006)])
def test_no_wins_and_only_wins_have_an_interval(deals: int, highest: float) -> None:
    """Wilson's of that many independent games; the quantile of few deals is larger."""
    (none, every) = estimate_shares(np.tile([0.0, 1.0], (deals, 1)), 4)
    assert none.value == 0 and none.low == pytest.approx(0)
    assert 3.84 / (4 * deals + 3.84) < none.high < highest
    assert every == pytest.approx((1, 1 - none.high, 1))


def covered(found: list[Estimate], truth: float) -> float:
    return float(np.mean([low <= truth <= high for _, low, high in found]))


@pytest.mark.parametrize("num_deals", [2, 5, 60])
def test_intervals_of_means_cover_the_truth(num_deals: int) -> None:
    deals: Floats = np.random.default_rng(num_deals).normal(3, 1, (num_deals, 4000))
    assert 0.94 < covered(estimate_means(deals), 3) < 0.96


@pytest.mark.parametrize("num_deals", [10, 60])
def test_intervals_of_differences_cover_the_truth(num_deals: int) -> None:
    """Of one bot that wins a share more in pairs of deals with luck of their own."""
    random = np.random.default_rng(num_deals)
    luck = random.normal(0, 20, (SIMULATED, num_deals))
    own, other = (mean + luck + random.normal(0, 5, luck.shape) for mean in (30, 25))
    found = [estimate_difference(each, 1.0).estimate for each in own - other]
    assert 0.93 < covered(found, 5) < 0.97
    width = np.mean([high - low for _, low, high in found])
    assert width < 35 / num_deals**0.5, "the luck of the deals cancels"


def test_more_deals_are_needed_as_long_as_the_interval_holds_0() -> None:
    deals = np.tile([3.0, -1.0], 8)  # the mean is 1, with an interval of 1.1 to both sides
    (value, low, high), more = estimate_difference(deals, 0.1)
    assert value == 1 and low == pytest.approx(1 - (high - 1)) and low < 0
    assert more == int(np.ceil(16 * (high - 1) ** 2)) - 16
    assert estimate_difference(np.tile(deals, 2), 0.1).more_deals == 0
    assert estimate_difference(deals - 1, 0.1).more_deals is None
    (_, low, high), _ = estimate_difference(np.zeros(4), 5.0)
    assert low == pytest.approx(-3.18 * 5 / 4, abs=0.01), "few equal deals prove no equality"


def test_deals_count_as_no_fewer_games_than_they_are() -> None:
    """Two deals, of which one is won and one lost in all four games, vary most."""
    (share,) = estimate_shares(np.array([[0.0], [1.0]]), 4)
    low, high = wilson_interval(np.array([0.5]), np.array([2.0]), estimate.student_quantile(1))
    assert share == pytest.approx((0.5, *low, *high))


def drawn_ranks(match: Match, deals: int, random: np.random.Generator) -> Ints:
    """Ranks (deals, rotations, places) by the model: the strengths with Gumbel noise."""
    shape = deals, len(match), len(match)
    heights = STRENGTHS[list(match)] + random.gumbel(size=shape)
    return np.asarray((heights[..., None, :] > heights[..., :, None]).sum(axis=-1))


def test_intervals_of_ratings_cover_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three bots and copies of them, in games without ties."""
    num_deals = 20
    monkeypatch.setattr(estimate, "RESAMPLES", 100)
    random = np.random.default_rng(num_deals)
    truth = POINTS_PER_LOG * (STRENGTHS[:3] - STRENGTHS[:3].mean())
    found, held = [], []
    for seed in range(40):
        asked = ArenaSettings(("a", "b", "c"), GameConfig(3), num_deals, seed)
        ranks = [drawn_ranks(match, num_deals, random) for match in asked.matches]
        played = [
            PlayedChunk(Chunk(at, range(num_deals)), MatchResults(-each, each), {})
            for at, each in enumerate(ranks)
        ]
        ratings = [bot["rating"] for bot in Report(asked, played, {}).bots]
        found.append([each.value for each in ratings])
        held += [each.low <= value <= each.high for each, value in zip(ratings, truth, strict=True)]
    assert np.mean(found, axis=0) == pytest.approx(truth, abs=8)
    assert 0.9 < np.mean(held) < 0.99


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
    copies, *parts = count_choices(matches, ranks, 5)
    (ours,) = fit(copies, *(part.sum(axis=0)[None] for part in parts)) / POINTS_PER_LOG
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
