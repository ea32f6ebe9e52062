"""The axis of a chart: where numbers are, and which of them are written beside it."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindup_arena.estimate import Estimate
from mindup_arena.leaderboard.board import has_interval


class Scale(NamedTuple):
    """A linear axis from ``low`` to ``high``."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Where a value is, from 0 at the low end to 1 at the high end."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers on the axis."""
        span = self.high - self.low
        power = 10 ** math.floor(math.log10(span / most))
        step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= most)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [step * number for number in range(first, last + 1)]


def scale_of(estimates: Iterable[Estimate]) -> Scale:
    """An axis that holds some estimates with their intervals, and 0."""
    ends = [0.0, *(end for each in estimates for end in each if not math.isnan(end))]
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 1.0
    return Scale(low - margin, high + margin)


def log_scale_of(speeds: Sequence[float]) -> Scale:
    """An axis of powers of ten, by their exponents."""
    exponents = [math.log10(speed) for speed in speeds]
    return Scale(math.floor(min(exponents)), max(math.ceil(max(exponents)), 1 + min(exponents)))


def ends_of(estimate: Estimate) -> tuple[float, float]:
    """The ends of the interval, or the value itself without one."""
    return estimate[1:] if has_interval(estimate) else (estimate.value, estimate.value)
