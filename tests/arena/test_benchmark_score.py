"""The score of the benchmark, and that its interval covers what it promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_arena.benchmark.result import BEST, estimate_score, lowest, normalise


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_equal_play_is_0_and_all_victories_are_100(players: int) -> None:
    shares = np.array([0, 1 / players, 1])
    assert normalise(shares, players) == pytest.approx([lowest(players), 0, BEST])


def test_the_score_and_its_interval_by_hand() -> None:
    """Two games of two deals and two rivals; each deal is its mean over the rivals first."""
    first = np.array([[1, 1 / 3], [1, 1 / 3]])  # (rivals, deals) of 3 players: deals of 100 and 0
    second = np.array([[1, 1 / 2], [1 / 2, 1]])  # of 4 players: both deals have 3/4, 66.7
    value, low, high = estimate_score([first, second], [3, 4])
    assert value == pytest.approx((50 + 66.667) / 2, abs=0.001)
    # The variance of the first mean is 100**2 / 2 / 2. The second, without a spread, counts as if
    # one more of its 4 * 2 * 2 games were won: 100 / 3 / 2 points of a deal, of 2 deals.
    error = np.sqrt(2500 + (100 / 3 / 2 / 2) ** 2) / 2
    quantile = 4.3027  # of Student's t with 2 degrees of freedom, from a table
    assert high == BEST and low == pytest.approx(max(value - quantile * error, -125 / 3), abs=0.01)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from([0.0, 0.01, 0.3, 0.99, 1.0]))
def test_an_interval_has_a_width_and_only_possible_scores(
    seed: int, deals: int, chance: float
) -> None:
    random, players = np.random.default_rng(seed), [3, 4, 5, 6]
    shares = [(random.random((7, deals, each)) < chance).mean(axis=2) for each in players]
    value, low, high = estimate_score(shares, players)
    least = sum(map(lowest, players)) / 4
    assert least - 1e-9 <= low <= value <= high <= BEST and high - low > 0.1


@pytest.mark.parametrize("deals", [2, 40])
def test_the_interval_covers_the_truth(deals: int) -> None:
    """Deals have luck of their own, which all rivals of a game meet."""
    random, players, runs = np.random.default_rng(deals), [3, 3, 4, 4, 5, 5, 6, 6], 400
    chances = np.linspace(0.1, 0.8, 7)[:, None, None]  # (rivals, 1, 1)
    covered = 0
    for _ in range(runs):
        games = []
        for each in players:
            luck = random.choice([-0.1, 0.1], size=(1, deals, each))
            games.append((random.random((7, deals, each)) < chances + luck).mean(axis=2))
        truth = np.mean([normalise(np.array(chances.mean()), each) for each in players])
        _, low, high = estimate_score(games, players)
        covered += bool(low <= truth <= high)
    assert 0.92 <= covered / runs <= 0.98
