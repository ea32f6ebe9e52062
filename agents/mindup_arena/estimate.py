"""Estimates with 95 % confidence intervals, from two deals or more. The deal is their unit.

The games of one deal share its cards, so they are not independent. Which interval covers what it
promises depends on the number:

- win shares: the Wilson interval, with as many games as independent ones would tell the same;
- scores and ranks: Student's t interval of the deals' means;
- ratings, and all that is computed from all deals together: the bootstrap over deals.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_env.checks import require

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
COVERAGE = 95
"""Of the intervals, in per cent."""
INTERVALS = f"With {COVERAGE} % intervals over deals; docs/arena.md says which."


class Estimate(NamedTuple):
    """A value and the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Self:
        return type(self)(*(factor * value for value in self))


def estimate_shares(per_deal: Floats, games: npt.ArrayLike) -> list[Estimate]:
    """Estimates of shares from those of each deal (deals, n), each from 0 to 1.

    A share is the mean over the ``games`` (n,) of a deal. The interval is Wilson's for an effective
    number of games: p (1 - p) / (variance of the mean). Few deals say little about the variance,
    so it is shrunk towards that of independent games, and the quantile is Student's.
    """
    num_deals = len(per_deal)
    shares = per_deal.mean(axis=0)
    of_one_game = shares * (1 - shares)
    between_deals = per_deal.var(axis=0, ddof=1)
    independent = np.full(shares.shape, 1 / np.asarray(games))
    # The variance between deals, in units of that of one game: at most 1 for a share.
    found = np.divide(between_deals, of_one_game, out=independent.copy(), where=of_one_game > 0)
    freedom = num_deals - 1
    ratio = (independent + freedom * found) / num_deals  # the prior counts for one deal
    effective = num_deals / np.minimum(ratio, 1)
    low, high = wilson_interval(shares, effective, student_quantile(freedom))
    # Rounding must not put a share of 0 or 1 outside.
    return _estimates(shares, np.clip(low, 0, shares), np.clip(high, shares, 1))


def wilson_interval(shares: Floats, games: Floats, quantile: float) -> tuple[Floats, Floats]:
    """The ends (n,) of the intervals of shares (n,) of independent games."""
    added = quantile**2 / games
    middle = (shares + added / 2) / (1 + added)
    variance = shares * (1 - shares) / games + added / games / 4
    half = quantile * np.sqrt(variance) / (1 + added)
    return middle - half, middle + half


def estimate_means(
    per_deal: Floats, least: float = -math.inf, most: float = math.inf
) -> list[Estimate]:
    """Estimates of means, which these bounds hold, from those of each deal (deals, n)."""
    num_deals = len(per_deal)
    means = per_deal.mean(axis=0)
    deviations = per_deal.std(axis=0, ddof=1)
    half = student_quantile(num_deals - 1) * deviations / np.sqrt(num_deals)
    return _estimates(means, np.maximum(means - half, least), np.minimum(means + half, most))


class Difference(NamedTuple):
    """A difference, and how many more deals would tell it from 0."""

    estimate: Estimate
    more_deals: int | None  # None if no number would, by what is known now


def estimate_difference(per_deal: Floats, step: float) -> Difference:
    """The mean of differences (deals,) of two results of each deal.

    No spread between few deals does not prove that there is none: they count as if one of them had
    been another, by ``step``, the least that the result of a deal can change.
    """
    num_deals = len(per_deal)
    mean = float(per_deal.mean())
    error = max(per_deal.std(ddof=1) / math.sqrt(num_deals), step / num_deals)
    half = float(student_quantile(num_deals - 1) * error)
    found = Estimate(mean, mean - half, mean + half)
    if mean == 0:
        return Difference(found, None)
    # The half width shrinks with the root of the number of deals.
    needed = math.ceil(num_deals * (half / mean) ** 2)
    return Difference(found, max(0, needed - num_deals))


def estimate_by_bootstrap(values: Floats, resampled: Floats, num_deals: int) -> list[Estimate]:
    """Estimates from ``values`` (n,) and the same values of each resample (resamples, n).

    The usual percentiles make intervals of few deals too short. These are the percentiles at which
    the interval of a mean would be Student's (Hesterberg, 2015).
    """
    from scipy.special import ndtr  # noqa: PLC0415  # an extra

    quantile = student_quantile(num_deals - 1) * np.sqrt(num_deals / (num_deals - 1))
    tail = 100 * float(ndtr(-quantile))
    low, high = np.percentile(resampled, [tail, 100 - tail], axis=0)
    return _estimates(values, np.minimum(low, values), np.maximum(high, values))  # rounding


def resampled_means(parts: Sequence[Floats], seed: int) -> list[Floats]:
    """The means (RESAMPLES, n) of each part (deals, n) over resamples of the deals."""
    random = np.random.default_rng(seed)
    num_deals = len(parts[0])
    means = []
    for _ in range(RESAMPLES):
        drawn = random.integers(num_deals, size=num_deals)
        weights = np.bincount(drawn, minlength=num_deals) / num_deals
        means.append([weights @ part for part in parts])
    return [np.array(each) for each in zip(*means, strict=True)]


def _estimates(values: Floats, low: Floats, high: Floats) -> list[Estimate]:
    return [Estimate(*map(float, each)) for each in zip(values, low, high, strict=True)]


def student_quantile(freedom: float) -> float:
    require("an interval", "arena", "scipy")
    from scipy.special import stdtrit  # noqa: PLC0415  # an extra

    return float(stdtrit(freedom, 1 - (100 - COVERAGE) / 200))
