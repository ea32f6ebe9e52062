"""What a run prints: a bar with live figures, a line per evaluation, and the time left."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from mindup_arena.estimate import Estimate
from mindup_training.loggers.csv_files import RETURN, WIN_SHARE
from mindup_training.run_folder import Extension
from mindup_training.settings.schedule import CheckpointTimes

_FIGURES = {
    RETURN: "return {:+.2f}",
    WIN_SHARE: "win share {:.0%}",
    "train/entropy_loss": "entropy loss {:.2f}",
    "time/decisions_per_second": "{:,.0f} decisions/s",
}


class TrainingClock:
    """How much of a training is done, and how long the rest takes at the speed so far."""

    def __init__(
        self,
        end: int | None,
        seconds: float,
        times: CheckpointTimes,
        extensions: Sequence[Extension] = (),
    ) -> None:
        """The training ends after ``end`` timesteps, or after ``seconds`` if that is None."""
        self._end, self._limit, self._times, self._extensions = end, seconds, times, extensions
        self._learning_seconds, self._learned = 0.0, 0
        self._evaluation_seconds = 0.0
        self.restart()

    def restart(self, seconds: float = 0.0) -> None:
        """Counts from now on, after ``seconds`` of an earlier process."""
        self._start = time.monotonic() - seconds

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def progress(self, timesteps: int) -> float:
        """From 0 to 1."""
        return min(1.0, self.seconds / self._limit if self._end is None else timesteps / self._end)

    def remaining(self, timesteps: int) -> float:
        """From 1 to 0, for the learning rate.

        Before an extension this goes by the end at that time, so a run that goes back to a
        checkpoint before it learns the same again.
        """
        for each in self._extensions:
            if timesteps < each.at:
                return 1 - min(1.0, timesteps / each.end)
        return 1 - self.progress(timesteps)

    def next_checkpoint(self, timesteps: int) -> float:
        """In the unit of ``now``; a run has one where it was extended, also if it goes back."""
        regular = next(self._times.after(self.now(timesteps)))
        after = [each.at for each in self._extensions if each.at > timesteps]
        return float(min([regular, *after]))

    def now(self, timesteps: int) -> float:
        """What checkpoints go by."""
        return self.seconds if self._times.in_seconds else timesteps

    def add_rollout(self, seconds: float, timesteps: int) -> None:
        self._learning_seconds += seconds
        self._learned += timesteps

    def add_evaluation(self, seconds: float) -> None:
        if self._learned > 0:  # the evaluation before it also compiles
            self._evaluation_seconds = seconds

    def seconds_left(self, timesteps: int) -> float | None:
        """None before the first rollout, when no speed is known."""
        if self._end is None:
            return max(0.0, self._limit - self.seconds)
        left = self._end - timesteps
        if left <= 0:
            return 0.0
        if self._learned == 0:
            return None
        evaluations = 1 + left // float(self._times.every)  # without the first, which are close
        return (
            left * self._learning_seconds / self._learned + evaluations * self._evaluation_seconds
        )


class ProgressView:
    def __init__(self, console: Console, progress: Progress) -> None:
        self._console, self._progress = console, progress
        self._task = progress.add_task("training", total=1.0, left="", figures="")

    @classmethod
    @contextmanager
    def open(cls, *, quiet: bool = False) -> Iterator[Self]:
        console = Console(highlight=False, force_jupyter=False, quiet=quiet)
        columns = (
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.fields[figures]}"),
        )
        # A log or a notebook would keep every redrawing of the bar.
        with Progress(
            *columns, console=console, disable=quiet or not console.file.isatty()
        ) as progress:
            yield cls(console, progress)

    def print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, markup=False)

    def show_measured(self, progress: float) -> None:
        self._progress.update(self._task, completed=progress)

    def show_rollout(
        self, progress: float, figures: Mapping[str, float], left: float | None
    ) -> None:
        texts = [text.format(figures[name]) for name, text in _FIGURES.items() if name in figures]
        shown = "  ".join(texts)
        self._progress.update(self._task, completed=progress, figures=shown, left=_left(left))

    def show_evaluation(
        self,
        timesteps: int,
        results: Mapping[str, Estimate],
        figures: Mapping[str, float],
        left: float | None,
        *,
        entered: bool,
    ) -> None:
        """A line with the win shares, or with the figures of a learner that plays no bots."""
        against = ", ".join(
            f"{bot} {100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for bot, share in results.items()
        )
        measured = ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
        line = f"{timesteps:>11,} decisions, "
        line += f"win share in % against {against}" if results else measured or "start"
        line += "; snapshot added to the pool" if entered else ""
        self.print("; ".join(filter(None, (line, _left(left)))))


def _left(seconds: float | None) -> str:
    """The time left as text; nothing as long as it is not known."""
    if seconds is None:
        return ""
    return f"{duration(seconds)} of training left" if seconds else "training done"


def duration(seconds: float) -> str:
    """``45 s``, ``3 min 20 s`` or ``1 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
