"""A number with its interval."""

from typing import NamedTuple

import numpy as np

from mindup_arena.measures import Floats
from mindup_arena.resampling import bounds


class Estimate(NamedTuple):
    """The ends of the interval are not numbers where there was a single deal."""

    value: float
    low: float
    high: float


def estimates(values: Floats, resampled: Floats, num_deals: int) -> list[Estimate]:
    """Of each of ``values`` (n,), with what came out of the resamples (resamples, n)."""
    low, high = bounds(resampled)
    if num_deals == 1:
        low, high = np.full((2, len(values)), np.nan)  # one deal says nothing of others
    return [Estimate(*map(float, each)) for each in zip(values, low, high, strict=True)]
