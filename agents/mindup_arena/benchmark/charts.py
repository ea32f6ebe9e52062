"""The bars of a leaderboard: where they, their whiskers and the numbers of their axis are.

Across, a place is a part of the width, so that a chart fits every screen and its text keeps its
size; ``charts.html`` draws it.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from mindup_arena.estimate import Estimate
from mindup_env.report import Column


class Scale(NamedTuple):
    """A linear axis of the values from ``low`` to ``high``."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Where a value is."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def ticks(self, most: int = 4) -> list[float]:
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


def bar(score: Estimate, scale: Scale) -> dict[str, Any]:
    """A score as a bar that begins at 0, with its interval as a whisker."""
    zero, value = scale.place(0), scale.place(score.value)
    low, high = scale.place(score.low), scale.place(score.high)
    return {
        "css": "gain" if value >= zero else "deficit",
        "x": min(zero, value),
        "width": abs(value - zero),
        "zero": zero,
        "whisker": (low, high) if low < high else None,
    }


class Tick(NamedTuple):
    """A number beside an axis."""

    place: float
    text: str


def axis_ticks(scale: Scale, column: Column) -> list[Tick]:
    """The round numbers of an axis, written as those of a column but without a fraction."""
    return [Tick(scale.place(each), column.text(each).split(".")[0]) for each in scale.ticks()]
