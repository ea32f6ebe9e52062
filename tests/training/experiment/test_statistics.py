"""The estimators, against published values, SciPy, and computations by hand."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, trim_mean

from mindup_arena.estimate import Estimate, Floats
from mindup_training.experiment.statistics import (
    RESAMPLES,
    Runs,
    estimate_improvement,
    estimate_iqms,
    interquartile_mean,
    resample_runs,
)

# The example in the tests of rliable, and what its estimators say of it.
ONES = np.array([[1, 2], [2, 2], [1, 1], [2, 1]], np.float64)
OTHERS = np.array([[1, 1], [2, 2], [3, 3]], np.float64)


def probability_of_improvement(ones: Floats, others: Floats) -> float:
    runs, other_runs = (resample_runs(len(each), 0, 2) for each in (ones, others))
    return estimate_improvement(ones, others, runs, other_runs).value


def estimate_iqm(scores: Floats, runs: Runs) -> Estimate:
    """Of all scores (runs, tasks) together."""
    (estimate,) = estimate_iqms(scores[:, None, :], runs)
    return estimate


def test_the_values_of_rliable() -> None:
    assert interquartile_mean(ONES.flatten()) == 1.5
    assert interquartile_mean(OTHERS.flatten()) == 2
    assert probability_of_improvement(ONES, OTHERS) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        ([7.0], 7.0),
        ([1.0, 3.0], 2.0),
        ([0.0, 3.0, 9.0], 4.0),  # a quarter of three is less than one
        ([0.0, 1.0, 3.0, 100.0], 2.0),
        ([100.0, 4.0, 2.0, 3.0, 0.0], 3.0),
        ([8.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 4.5),
    ],
)
def test_the_interquartile_mean_by_hand(scores: list[float], mean: float) -> None:
    assert interquartile_mean(np.array(scores)) == mean


def test_the_estimators_agree_with_scipy() -> None:
    random = np.random.default_rng(0)
    for count in range(1, 30):
        scores = random.normal(size=(3, count))
        np.testing.assert_allclose(interquartile_mean(scores), trim_mean(scores, 0.25, axis=1))
        ones, others = (
            random.integers(4, size=(each, 2)).astype(np.float64) for each in (count, 7)
        )
        expected = [
            mannwhitneyu(ones[:, task], others[:, task]).statistic / (7 * count) for task in (0, 1)
        ]
        assert probability_of_improvement(ones, others) == pytest.approx(np.mean(expected))


def test_improvement_over_itself_is_even() -> None:
    assert probability_of_improvement(ONES, ONES) == 0.5
    assert probability_of_improvement(ONES + 9, ONES) == 1
    assert probability_of_improvement(ONES - 9, ONES) == 0


def test_a_resample_draws_whole_runs() -> None:
    """The two scores of a run differ by 100, and so do the means of each resample."""
    scores = np.array([[0.0, 100.0], [10.0, 110.0], [20.0, 120.0]])
    drawn = scores[resample_runs(3, 0, resamples=50)]
    assert drawn.shape == (50, 3, 2)
    assert (drawn[:, :, 1] - drawn[:, :, 0] == 100).all()


def test_resamples_repeat_and_differ_between_strata() -> None:
    assert (resample_runs(6, 1) == resample_runs(6, 1)).all()
    assert (resample_runs(6, 1) != resample_runs(6, 2)).any()
    counts = np.bincount(resample_runs(4, 0).flatten())
    assert counts.min() > 0.95 * RESAMPLES, "all runs are drawn equally often"


def test_an_interval_has_the_percentiles_of_all_resamples() -> None:
    """Of four runs there are only 4**4 resamples; the interval lies between their extremes."""
    scores = np.array([[0.1], [0.2], [0.4], [0.8]])
    every = [
        float(interquartile_mean(scores[list(drawn), 0])) for drawn in product(range(4), repeat=4)
    ]
    estimate = estimate_iqm(scores, resample_runs(4, 0))
    assert estimate.value == pytest.approx(0.3)
    # With Student's quantile of three degrees of freedom, both ends are almost the extremes.
    assert (estimate.low, estimate.high) == pytest.approx((min(every), max(every)))


def test_an_interval_covers_what_it_promises() -> None:
    """Where the scores of a run depend on each other, and separate draws of each task do not."""
    random = np.random.default_rng(1)
    covered = []
    for stratum in range(300):
        runs = random.normal(size=(10, 1)) + random.normal(size=(10, 3)) / 2
        estimate = estimate_iqm(runs, resample_runs(10, stratum, resamples=500))
        drawn = random.integers(10, size=(500, 10, 3))
        separate = interquartile_mean(runs[drawn, np.arange(3)].reshape(500, -1))
        low, high = np.percentile(separate, [2.5, 97.5])
        covered.append((estimate.low <= 0 <= estimate.high, low <= 0 <= high))
    whole_runs, separate_draws = np.mean(covered, axis=0)
    assert 0.9 < whole_runs < 0.99 and separate_draws < 0.85


def test_the_resamples_of_an_improvement_are_those_of_its_definition() -> None:
    random = np.random.default_rng(2)
    ones, others = random.normal(1, 1, (5, 3)), random.normal(0, 1, (4, 3))
    drawn, other_drawn = resample_runs(5, 0, 400), resample_runs(4, 1, 400)
    found = estimate_improvement(ones, others, drawn, other_drawn)
    each = [
        probability_of_improvement(ones[one], others[other])
        for one, other in zip(drawn, other_drawn, strict=True)
    ]
    assert found.value == pytest.approx(probability_of_improvement(ones, others))
    assert min(each) <= found.low < found.value < found.high <= max(each)
    assert found.high - found.low > 3.9 * np.std(each)


def test_a_curve_has_the_estimate_of_each_of_its_points() -> None:
    scores = np.random.default_rng(3).normal(size=(6, 4))
    drawn = resample_runs(6, 0, 300)
    for point, found in enumerate(estimate_iqms(scores[:, :, None], drawn)):
        assert found == pytest.approx(estimate_iqm(scores[:, [point]], drawn))


def test_one_run_has_no_interval() -> None:
    alone = np.array([[0.25, 0.75]])
    for found in (
        estimate_iqm(alone, resample_runs(1, 0)),
        estimate_improvement(alone, alone, resample_runs(1, 0), resample_runs(1, 1)),
    ):
        assert found.value == 0.5 and np.isnan([found.low, found.high]).all()
