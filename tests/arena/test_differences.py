"""Paired differences: intervals, tests, corrections, and the number of deals that is missing."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_arena.comparison.differences import (
    compare_deals,
    correlation,
    holm,
    more_deals,
    paired_difference,
    sign_flip_test,
)
from mindup_arena.estimate import Estimate, Floats, estimate_shares

GAMES = 4


def play(first: float, second: float, deals: int, arenas: int) -> tuple[Floats, Floats]:
    """The win shares (deals, arenas) of two bots with these chances; luck favours both or none."""
    random = np.random.default_rng(1)
    luck = random.uniform(0.5, 1.5, (deals, arenas))
    return random.binomial(GAMES, first * luck) / GAMES, random.binomial(
        GAMES, second * luck
    ) / GAMES


@pytest.mark.parametrize("deals", [10, 40])
@pytest.mark.parametrize(("first", "second"), [(0.02, 0.05), (0.3, 0.5), (0.6, 0.6)])
def test_intervals_of_differences_cover_the_truth(deals: int, first: float, second: float) -> None:
    shares = play(first, second, deals, 1000)
    estimates = [estimate_shares(each, GAMES) for each in shares]
    found = [
        paired_difference(one, other, correlation(shares[0][:, index], shares[1][:, index]))
        for index, (one, other) in enumerate(zip(*estimates, strict=True))
    ]
    covered = np.mean([low <= first - second <= high for _, low, high in found])
    assert covered > 0.93
    assert min(high - low for _, low, high in found) > 0.001


def test_equal_bots_seldom_differ_significantly() -> None:
    first, second = play(0.3, 0.3, 12, 200)
    p_values = [sign_flip_test(differences, 0) for differences in (first - second).T]
    assert np.mean(np.array(p_values) < 0.05) < 0.08
    assert np.mean(np.array(p_values) < 0.5) > 0.35


def test_pairing_shows_what_separate_shares_hide() -> None:
    """The luck of the deals is the same for both bots, and much larger than their difference."""
    luck = np.tile([0.0, 0.25, 0.75, 1.0], 10)[:, None]
    first, second = np.clip(luck + 0.1, 0, 1), luck
    (found,) = compare_deals(first, second, GAMES, 0)
    assert found.first.low < found.second.high, "the separate intervals overlap"
    assert found.difference.low > 0 and found.significant


def test_the_sign_flip_test_of_few_deals_is_exact() -> None:
    """Of the 2^5 signs, two give at least the sum of five equal differences."""
    assert sign_flip_test(np.full(5, 0.25), 0) == pytest.approx(2 / 32, rel=0.1)
    assert sign_flip_test(np.array([0.5, -0.5, 0.0]), 0) == 1
    assert sign_flip_test(np.zeros(4), 0) == 1
    assert sign_flip_test(np.full(100, 0.25), 0) == pytest.approx(1 / 20001)


def test_the_correction_of_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_corrected_p_values_keep_their_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(own <= found <= 1 for own, found in zip(p_values, corrected, strict=True))
    assert min(corrected) == pytest.approx(min(1, len(p_values) * min(p_values)))
    order = np.argsort(p_values, kind="stable")
    assert list(np.array(corrected)[order]) == sorted(corrected)


def test_the_number_of_missing_deals_shows_the_difference() -> None:
    """It has the promised power: about 80 % of comparisons of so many deals are significant."""
    random = np.random.default_rng(2)
    seen: Floats = random.permutation(np.repeat([-0.25, 0.0, 0.5], [10, 10, 10]))
    missing = more_deals(seen, 0.05)
    assert missing is not None
    needed = len(seen) + missing
    drawn = random.choice(seen, (200, needed))
    significant = np.mean([sign_flip_test(each, 0) < 0.05 for each in drawn])
    assert 0.7 < significant < 0.9
    assert more_deals(seen - seen.mean(), 0.05) is None
    assert more_deals(seen[:1], 0.05) is None


def test_undecided_comparisons_name_the_missing_deals() -> None:
    (found,) = compare_deals(np.array([[0.5], [0.25], [0.75]]), np.full((3, 1), 0.25), GAMES, 0)
    assert not found.significant and found.more_deals is not None
    (certain,) = compare_deals(np.full((30, 1), 0.75), np.full((30, 1), 0.25), GAMES, 0)
    assert certain.significant and certain.more_deals is None


def test_more_comparisons_need_more_deals() -> None:
    first, second = np.array([[0.5], [0.25], [0.75]]), np.full((3, 1), 0.25)
    (alone,) = compare_deals(first, second, GAMES, 0)
    among_three, *_ = compare_deals(np.tile(first, 3), np.tile(second, 3), GAMES, 0)
    assert among_three.corrected_p_value == min(1, 3 * alone.p_value)
    assert alone.more_deals is not None and among_three.more_deals is not None
    assert among_three.more_deals > alone.more_deals


def test_the_interval_of_uncorrelated_shares_adds_their_lengths_as_variances() -> None:
    one, other = Estimate(0.6, 0.5, 0.8), Estimate(0.3, 0.2, 0.35)
    value, low, high = paired_difference(one, other, 0)
    assert value == pytest.approx(0.3)
    assert low == pytest.approx(0.3 - math.hypot(0.1, 0.05))
    assert high == pytest.approx(0.3 + math.hypot(0.2, 0.1))
    closer = paired_difference(one, other, 0.5)
    assert low < closer.low < closer.high < high
