"""What a leaderboard shows, wherever its numbers come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mindup_arena.estimate import Estimate

ALL_GAMES = "All games"


class Cell(NamedTuple):
    """One bot against copies of another.

    Attributes:
        estimate: The result; its ends are NaN if it has no interval.
        heat: From -1 (the lowest possible result) by 0 (equal play) to 1 (the highest).
    """

    estimate: Estimate
    heat: float


class View(NamedTuple):
    """The results of some games."""

    title: str
    scores: Sequence[Estimate]  # (bots,)
    cells: Sequence[Sequence[Cell | None]]  # (bots, rivals); None was not played

    def heading(self, text: str) -> str:
        """A heading of these games; that of all games is the text alone."""
        return text if self.title == ALL_GAMES else f"{text}: {self.title}"

    @property
    def ranking(self) -> list[int]:
        """The bots by score, the best first."""
        return sorted(range(len(self.scores)), key=lambda bot: -self.scores[bot].value)


class RecordedGame(NamedTuple):
    """A game to look at: what a link to it says, and its page."""

    title: str
    page: str


class BoardBot(NamedTuple):
    """A bot of the board."""

    name: str
    speed: float | None  # decisions per second
    games_forfeited: int = 0
    facts: Sequence[tuple[str, str]] = ()  # titles and texts
    games: Sequence[RecordedGame] = ()


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Attributes:
        title: The title of the page.
        note: What was played.
        measure: The name of the score, and how it is read.
        score_format: How a score is written.
        cell_title: What the cross table shows.
        cell_format: How its numbers are written.
        bots: The bots.
        rivals: The names of the columns of the cross table.
        views: The results: first those of all games, then of some.
    """

    title: str
    note: str
    measure: tuple[str, str]
    score_format: str
    cell_title: str
    cell_format: str
    bots: Sequence[BoardBot]
    rivals: Sequence[str]
    views: Sequence[View]


def number_text(number: float, number_format: str) -> str:
    """A number with a minus sign in place of the hyphen, which is hard to see."""
    text = number_format.format(number)
    if not text.strip("-+0."):
        return text.lstrip("-+")  # it is rounded to 0
    return text.replace("-", "\N{MINUS SIGN}")


def interval_text(estimate: Estimate, number_format: str) -> str:
    """``low to high``; empty without an interval."""
    low, high = (number_text(end, number_format) for end in estimate[1:])
    return f"{low} to {high}" if has_interval(estimate) else ""


def has_interval(estimate: Estimate) -> bool:
    """Whether the interval is known."""
    return not math.isnan(estimate.low)


def speed_text(speed: float | None) -> str:
    """Decisions per second, short."""
    if speed is None:
        return "\N{EN DASH}"
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if speed >= least:
            return f"{speed / least:.3g}{unit}"
    return f"{speed:.3g}"
