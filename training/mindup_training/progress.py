"""The evaluations of a training: a table on the terminal, ``evaluations.csv`` and ``curve.png``."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mindup_agents.labels import label, labels
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.output import open_figure, save_figure
from mindup_env.checks import shortened
from mindup_env.files import write_text

CURVE = "curve.png"
CSV = "evaluations.csv"
_LINE = 60  # columns of the terminal for numbers: a line is shorter than 80
_SHARE = 20  # columns of a win share with its interval


class Evaluation(NamedTuple):
    """A win share against copies of a bot: a line of ``evaluations.csv``."""

    timesteps: int
    opponent: str
    win_share: float
    low: float
    high: float


class Progress:
    """Shows the evaluations ``made`` so far against copies of bots, and in the folder of the run.

    ``measures`` are the names of other numbers that are printed.
    """

    def __init__(
        self, folder: Path, bots: Sequence[str], num_players: int, measures: Sequence[str] = ()
    ) -> None:
        self.made: list[Evaluation] = []
        self._folder = folder
        self._bots = bots
        self._num_players = num_players
        self._names = [*labels(bots), *measures]
        # With many bots, their intervals are in the file alone.
        self._width = min(_SHARE, _LINE // max(1, len(self._names)))

    def begin(self) -> None:
        """Prints the head of the table."""
        ends = f", {COVERAGE} % interval" if self._width == _SHARE else ""
        print(f"win share in % against copies{ends}; equal play is {100 / self._num_players:.3g}")
        cells = (shortened(name, self._width - 1) for name in self._names)
        print(self._line("decisions", "time left", cells), flush=True)

    def add(
        self,
        timesteps: int,
        remaining: float,
        seconds: float,
        shares: Sequence[Estimate],
        *more: Any,
    ) -> None:
        """Prints a line and writes the files, after so many decisions and seconds.

        From 1 to 0, ``remaining`` is left of the training; ``more`` are other numbers, as texts.
        """
        texts = []
        for bot, share in zip(self._bots, shares, strict=True):
            self.made.append(Evaluation(timesteps, bot, *share))
            value, low, high = share.times(100)
            ends = f" ({low:.1f}..{high:.1f})" if self._width == _SHARE else ""
            texts.append(f"{value:.1f}{ends}")
        # Nothing is known before the first rollout.
        left = "" if remaining == 1 else _duration(seconds * remaining / (1 - remaining))
        print(self._line(f"{timesteps:,}", left, [*texts, *more]), flush=True)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([Evaluation._fields, *self.made])
        write_text(self._folder / CSV, text.getvalue())
        save_figure(self._folder / CURVE, draw_curve(self.made, self._num_players))

    def _line(self, decisions: str, left: str, cells: Iterable[str]) -> str:
        return f"{decisions:>9}{left:>10}" + "".join(f"{each:>{self._width}}" for each in cells)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def draw_curve(evaluations: Sequence[Evaluation], num_players: int) -> Any:
    """The win share against each bot over the decisions, with its intervals."""
    figure = open_figure(7, 4.5, f"intervals: {COVERAGE} %, over deals")
    axes: Any = figure.subplots()
    equal = 100 / num_players
    axes.axhline(equal, color="grey", linestyle="--", linewidth=1, label="equal")
    for bot in dict.fromkeys(each.opponent for each in evaluations):
        made = [each for each in evaluations if each.opponent == bot]
        steps = [each.timesteps for each in made]
        shares = [100 * each.win_share for each in made]
        low = [100 * each.low for each in made]
        high = [100 * each.high for each in made]
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=f"against {label(bot)}")
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="decisions learned from", ylabel="win share, %", ylim=(0, 100))
    axes.legend(loc="best")
    return figure
