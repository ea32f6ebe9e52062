"""Intervals by the bootstrap over deals.

The games of one deal are alike, since they have the same cards: so whole deals are drawn again,
not games.
"""

from collections.abc import Iterator

import numpy as np

from mindup_arena.measures import Floats

RESAMPLES = 1000
COVERAGE = 95
"""Per cent."""


def resampled_means(per_deal: Floats, seed: int) -> Floats:
    """The means of ``per_deal`` (deals, n) over RESAMPLES resamples of the deals."""
    return np.array([weights @ per_deal for weights in _weights(len(per_deal), seed)])


def bounds(resampled: Floats) -> tuple[Floats, Floats]:
    """The lower and upper ends of the intervals, along the first axis."""
    tail = (100 - COVERAGE) / 2
    low, high = np.percentile(resampled, [tail, 100 - tail], axis=0)
    return low, high


def _weights(num_deals: int, seed: int) -> Iterator[Floats]:
    """How much of each resample each deal is."""
    random = np.random.default_rng(seed)
    for _ in range(RESAMPLES):
        drawn = random.integers(num_deals, size=num_deals)
        yield np.bincount(drawn, minlength=num_deals) / num_deals
