"""The charts of a leaderboard: where their bars, points, lines and labels are.

Across, a place is a part of the width, so that a chart fits every screen and its text keeps its
size; ``charts.html`` draws it.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mindup_arena.benchmark.board import Board
from mindup_arena.estimate import Estimate
from mindup_arena.report_files import speed_text
from mindup_env.report import Column


class Scale(NamedTuple):
    """A linear axis of the values from ``low`` to ``high``, drawn from ``start`` to ``end``."""

    low: float
    high: float
    start: float = 0
    end: float = 1

    def place(self, value: float) -> float:
        """Where a value is."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers on the axis."""
        span = self.high - self.low
        power = 10 ** math.floor(math.log10(span / most))
        step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= most)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [step * number for number in range(first, last + 1)]


def scale_of(estimates: Iterable[Estimate], start: float = 0, end: float = 1) -> Scale:
    """An axis that holds some estimates with their intervals, and 0."""
    ends = [0.0, *(end for each in estimates for end in each if not math.isnan(end))]
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 1.0
    return Scale(low - margin, high + margin, start, end)


def log_scale_of(speeds: Sequence[float], start: float = 0, end: float = 1) -> Scale:
    """An axis of powers of ten, by their exponents."""
    exponents = [math.log10(speed) for speed in speeds]
    low, high = math.floor(min(exponents)), max(math.ceil(max(exponents)), 1 + min(exponents))
    return Scale(low, high, start, end)


def _ends(estimate: Estimate) -> tuple[float, float]:
    """The ends of the interval, or the value itself without one."""
    return (estimate.value,) * 2 if math.isnan(estimate.low) else estimate[1:]


def bar(score: Estimate, scale: Scale) -> dict[str, Any]:
    """A score as a bar that begins at 0, with its interval as a whisker."""
    zero, value = scale.place(0), scale.place(score.value)
    low, high = map(scale.place, _ends(score))
    return {
        "css": "gain" if value >= zero else "deficit",
        "x": min(zero, value),
        "width": abs(value - zero),
        "zero": zero,
        "whisker": (low, high) if low != high else None,
    }


class Tick(NamedTuple):
    """A number beside an axis."""

    place: float
    text: str
    is_zero: bool = False


def axis_ticks(scale: Scale, column: Column, most: int = 4) -> list[Tick]:
    """The round numbers of an axis, written as those of a column but without a fraction."""
    return [
        Tick(scale.place(each), column.text(each).split(".")[0], each == 0)
        for each in scale.ticks(most)
    ]


_HEIGHT, _TOP, _FLOOR = 400, 14, 356
_LEFT, _RIGHT = 0.07, 0.97
_LABEL_HEIGHT, _LONGEST_LABEL, _CUT = 17, 18, "\N{HORIZONTAL ELLIPSIS}"
_LETTER = 0.023
"""The part of the width that a letter of a label takes on a phone."""


class Point(NamedTuple):
    """A bot in the chart of costs."""

    label: str
    title: str
    x: float  # a part of the width
    y: float
    low: float  # y of the interval
    high: float
    label_y: float = 0

    @property
    def label_span(self) -> tuple[float, float]:
        """Where the label is: to the right of the point, or to the left if it has no place."""
        width = _LETTER * (len(self.label) + 1)
        end = self.x + width
        return (self.x, end) if end <= 1 else (self.x - width, self.x)


def cost_chart(board: Board) -> dict[str, Any] | None:
    """The score of each bot in all games over its speed, on a logarithmic axis.

    None if no speed is known.
    """
    found = [
        (bot.name, bot.speed, score)
        for bot, score in zip(board.bots, board.views[0].scores, strict=True)
        if bot.speed is not None
    ]
    if not found:
        return None
    across = log_scale_of([speed for _, speed, _ in found], _LEFT, _RIGHT)
    up = scale_of([score for _, _, score in found], _FLOOR, _TOP)
    points = [
        Point(
            name if len(name) <= _LONGEST_LABEL else f"{name[: _LONGEST_LABEL - 1]}{_CUT}",
            f"{name}: {board.score.heading} {board.score.with_interval(score)}, "
            f"{speed_text(speed)} decisions/s",
            across.place(math.log10(speed)),
            *map(up.place, (score.value, *_ends(score))),
        )
        for name, speed, score in found
    ]
    exponents = range(math.floor(across.low), math.floor(across.high) + 1)
    return {
        "points": _with_labels(points),
        "scores": axis_ticks(up, board.score, most=6),
        "speeds": [Tick(across.place(each), speed_text(10.0**each)) for each in exponents],
        "measure": board.score.heading,
        "description": "; ".join(point.title for point in points),
        "height": _HEIGHT,
        "top": _TOP,
        "floor": _FLOOR,
        "left": _LEFT,
    }


def _with_labels(points: Sequence[Point]) -> list[Point]:
    """The points, with labels moved down where they would overlap on a narrow screen."""
    placed: dict[int, Point] = {}
    for at, point in sorted(enumerate(points), key=lambda each: each[1].y):
        height, (start, end) = point.y, point.label_span
        for other in sorted(placed.values(), key=lambda each: each.label_y):
            overlaps = start < other.label_span[1] and other.label_span[0] < end
            if overlaps and abs(height - other.label_y) < _LABEL_HEIGHT:
                height = other.label_y + _LABEL_HEIGHT
        placed[at] = point._replace(label_y=height)
    return [placed[at] for at in range(len(points))]
