"""Estimates with confidence intervals, by the bootstrap over deals.

The games of one deal share its cards, so they are not independent: whole deals are resampled.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
COVERAGE = 95
"""Of the intervals, in per cent."""


class Estimate(NamedTuple):
    """A value and its 95 % confidence interval.

    Attributes:
        value: The estimate.
        low: The lower end of the interval; NaN if there was a single deal.
        high: The upper end of the interval; NaN if there was a single deal.
    """

    value: float
    low: float
    high: float


def estimates(values: Floats, resampled: Floats, num_deals: int) -> list[Estimate]:
    """Estimates from ``values`` (n,) and the same values of each resample (resamples, n)."""
    tail = (100 - COVERAGE) / 2
    low, high = np.percentile(resampled, [tail, 100 - tail], axis=0)
    if num_deals == 1:
        low, high = np.full((2, len(values)), np.nan)  # resampling one deal shows no spread
    return [Estimate(*map(float, each)) for each in zip(values, low, high, strict=True)]


def resampled_means(per_deal: Floats, seed: int) -> Floats:
    """The means (RESAMPLES, n) of ``per_deal`` (deals, n) over resamples of the deals."""
    return np.array([weights @ per_deal for weights in _weights(len(per_deal), seed)])


def _weights(num_deals: int, seed: int) -> Iterator[Floats]:
    """The share of each deal (deals,) in each resample."""
    random = np.random.default_rng(seed)
    for _ in range(RESAMPLES):
        drawn = random.integers(num_deals, size=num_deals)
        yield np.bincount(drawn, minlength=num_deals) / num_deals
