"""Intervals cover what they promise."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.studies.interval_coverage import Deals, correlated, measure, percentile_bootstrap
from mindup_arena.estimate import (
    Estimate,
    Floats,
    estimate_by_bootstrap,
    estimate_means,
    estimate_shares,
    resampled_means,
)
from tools.tables.results import report

DEALS = [10, 20, 60, 200]
SHARES = [0.02, 0.1, 0.5, 0.9, 0.98]


def distributions() -> Iterator[Deals]:
    for games in (2, 4):
        for share in SHARES:
            for correlation in (-0.1, 0.0, 0.1):
                yield correlated(share, games, correlation)


@pytest.mark.parametrize("num_deals", DEALS)
def test_intervals_of_shares_cover_the_truth_and_are_not_too_wide(num_deals: int) -> None:
    for deals in distributions():
        coverage, width = measure(deals, num_deals, arenas=2000)
        assert coverage > 0.93, deals
        assert width < 1.3, deals


def test_percentile_intervals_would_not_cover_it() -> None:
    coverage, _ = measure(correlated(0.02, 4, 0.0), 10, 200, percentile_bootstrap)
    assert coverage < 0.7


def test_the_measured_coverage_is_as_promised() -> None:
    rows = report("interval-coverage")
    assert {row["deals"] for row in rows} == {*DEALS}
    assert min(row["coverage"] for row in rows) >= 0.93
    assert max(row["relative_width"] for row in rows) <= 1.3
    assert min(row["bootstrap_coverage"] for row in rows) < 0.7


@pytest.mark.parametrize(("deals", "highest"), [(2, 1.0), (10, 0.13), (200, 0.006)])
def test_no_wins_and_only_wins_have_an_interval(deals: int, highest: float) -> None:
    """Wilson's of that many independent games; the quantile of few deals is larger."""
    (none, every) = estimate_shares(np.tile([0.0, 1.0], (deals, 1)), 4)
    assert none.value == 0 and none.low == pytest.approx(0)
    assert 3.84 / (4 * deals + 3.84) < none.high < highest
    assert every == pytest.approx((1, 1 - none.high, 1))


@given(
    st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=2, max_size=30),
    st.integers(1, 6),
)
def test_an_interval_of_a_share_has_a_length_and_holds_it(
    wins: list[list[int]], games: int
) -> None:
    per_deal = np.array(wins) / 12
    for value, low, high in estimate_shares(per_deal, games):
        assert 0 <= low <= value <= high <= 1
        assert high - low > 1e-3
    mirrored = estimate_shares(1 - per_deal, games)
    for (value, low, high), other in zip(estimate_shares(per_deal, games), mirrored, strict=True):
        assert other == pytest.approx((1 - value, 1 - high, 1 - low))


def test_games_that_repeat_each_other_count_once() -> None:
    """The interval of deals of four equal games is that of as many single games."""
    once = np.tile([[0.0], [1.0], [1.0]], (40, 1))
    (repeated,), (single,) = estimate_shares(once, 4), estimate_shares(once, 1)
    assert repeated == pytest.approx(single, rel=0.01)


def normal_deals(num_deals: int, arenas: int) -> Floats:
    return np.random.default_rng(num_deals).normal(3, 1, (num_deals, arenas))


def covered(found: list[Estimate], truth: float) -> float:
    return float(np.mean([low <= truth <= high for _, low, high in found]))


@pytest.mark.parametrize("num_deals", [2, 5, 60])
def test_intervals_of_means_cover_the_truth(num_deals: int) -> None:
    found = estimate_means(normal_deals(num_deals, 4000))
    assert 0.94 < covered(found, 3) < 0.96


@pytest.mark.parametrize("num_deals", [10, 60])
def test_intervals_by_bootstrap_cover_the_truth(num_deals: int) -> None:
    """Of a ratio of two means, as ratings are functions of means."""
    random = np.random.default_rng(num_deals)
    parts = [random.normal(mean, 1, (num_deals, 500)) for mean in (30.0, 10.0)]
    above, below = resampled_means(parts, 0)
    values = parts[0].mean(axis=0) / parts[1].mean(axis=0)
    found = estimate_by_bootstrap(values, above / below, num_deals)
    assert 0.92 < covered(found, 3) < 0.97


def test_parts_are_resampled_together() -> None:
    random = np.random.default_rng(1)
    one = random.normal(size=(7, 2))
    first, second = resampled_means([one, 3 * one], seed=5)
    assert first.shape == (1000, 2) and second == pytest.approx(3 * first)
    assert first.std(axis=0) == pytest.approx(one.std(axis=0) / 7**0.5, rel=0.1)


def test_a_single_deal_has_no_interval() -> None:
    one = np.array([[0.5, 0.25]])
    for found in (
        estimate_shares(one, 4),
        estimate_means(one),
        estimate_by_bootstrap(one[0], one, 1),
    ):
        assert [each.value for each in found] == [0.5, 0.25]
        assert all(np.isnan([each.low, each.high]).all() for each in found)


def test_an_estimate_in_another_unit() -> None:
    assert Estimate(0.5, 0.25, 1.0).times(100) == Estimate(50, 25, 100)
