"""Strength against cost: the score of each bot over its speed, on a logarithmic axis."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mindup_arena.leaderboard.board import Board, interval_text, number_text, speed_text
from mindup_arena.leaderboard.elements import Element, element, percent
from mindup_arena.leaderboard.scale import Scale, ends_of, log_scale_of, scale_of

_HEIGHT, _TOP, _BOTTOM = 400, 14, 44
_LEFT, _RIGHT = 0.07, 0.97
_LABEL_HEIGHT = 17
_LETTER = 0.023
"""The part of the width that a letter of a label takes on a phone."""
_LONGEST_LABEL = 18


class _Point(NamedTuple):
    label: str
    x: float  # part of the width
    y: float
    ends: tuple[float, float]  # y of the interval
    title: str

    @property
    def label_span(self) -> tuple[float, float]:
        """Where the label is: to the right of the point, or to the left if it has no place."""
        width = _LETTER * (len(self.label) + 1)
        return (self.x, self.x + width) if self.x + width <= 1 else (self.x - width, self.x)


def cost_chart(board: Board) -> Element | None:
    """The chart of all games; None if no speed is known."""
    bots = [number for number, bot in enumerate(board.bots) if bot.speed is not None]
    speeds = [board.bots[bot].speed or 1.0 for bot in bots]
    if not bots:
        return None
    scores = [board.views[0].scores[bot] for bot in bots]
    across, up = log_scale_of(speeds), scale_of(scores)
    points = [
        _Point(
            _short(board.bots[bot].name),
            _x(across.share(math.log10(speed))),
            _y(up, score.value),
            (_y(up, ends_of(score)[0]), _y(up, ends_of(score)[1])),
            f"{board.bots[bot].name}: {board.measure[0]} "
            f"{number_text(score.value, board.score_format)} "
            f"({interval_text(score, board.score_format)}), {speed_text(speed)} decisions/s",
        )
        for bot, speed, score in zip(bots, speeds, scores, strict=True)
    ]
    heights = _label_heights(points)
    return element(
        "svg",
        element("title", "Strength against cost"),
        element("desc", "; ".join(point.title for point in points)),
        *_grid(across, up, board),
        *(_draw(point, height) for point, height in zip(points, heights, strict=True)),
        height=_HEIGHT,
        class_="cost",
        role="img",
    )


def _x(share: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * share


def _y(up: Scale, value: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * up.share(value)


def _grid(across: Scale, up: Scale, board: Board) -> list[Element]:
    parts = []
    for tick in up.ticks():
        y, kind = _y(up, tick), "grid" if tick else "zero"
        parts.append(element("line", class_=kind, x1=percent(_LEFT), x2="100%", y1=y, y2=y))
        label = number_text(tick, board.score_format).split(".")[0]
        parts.append(element("text", label, class_="tick end", x=percent(_LEFT - 0.01), y=y + 4))
    for exponent in range(math.floor(across.low), math.floor(across.high) + 1):
        x = percent(_x(across.share(exponent)))
        parts.append(element("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=_HEIGHT - _BOTTOM))
        power = speed_text(10.0**exponent)
        parts.append(element("text", power, class_="tick middle", x=x, y=_HEIGHT - _BOTTOM + 18))
    parts.append(
        element(
            "text",
            "decisions per second",
            class_="tick middle",
            x="50%",
            y=_HEIGHT - 6,
        )
    )
    parts.append(element("text", board.measure[0], class_="tick", x=percent(_LEFT + 0.01), y=_TOP))
    return parts


def _draw(point: _Point, label_height: float) -> Element:
    at_left = point.label_span[0] < point.x
    low, high = point.ends
    x = percent(point.x)
    return element(
        "g",
        element("title", point.title),
        element("line", class_="whisker", x1=x, x2=x, y1=low, y2=high),
        element("circle", cx=x, cy=point.y, r=5.5),
        element(
            "text",
            point.label,
            class_="label end" if at_left else "label",
            x=x,
            dx=-11 if at_left else 11,
            y=label_height + 4,
        ),
    )


def _label_heights(points: Sequence[_Point]) -> list[float]:
    """The heights of the labels, moved down where they would overlap on a narrow screen."""
    heights: dict[int, float] = {}
    for number in sorted(range(len(points)), key=lambda each: points[each].y):
        height = points[number].y
        for other in sorted(heights, key=lambda each: heights[each]):
            overlaps = _overlap(points[number].label_span, points[other].label_span)
            if overlaps and abs(height - heights[other]) < _LABEL_HEIGHT:
                height = heights[other] + _LABEL_HEIGHT
        heights[number] = height
    return [heights[number] for number in range(len(points))]


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _short(name: str) -> str:
    if len(name) <= _LONGEST_LABEL:
        return name
    return f"{name[: _LONGEST_LABEL - 1]}\N{HORIZONTAL ELLIPSIS}"
