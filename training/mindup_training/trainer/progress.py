"""What a run prints: a bar with live figures, a line per evaluation, and the time left."""

import time
from collections.abc import Mapping

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from mindup_arena.estimate import Estimate
from mindup_training.settings import RunSettings
from mindup_training.trainer.log import RETURN, WIN_SHARE

SPEED = "time/decisions_per_second"
_FIGURES = {
    RETURN: "return {:+.2f}",
    WIN_SHARE: "win share {:.0%}",
    "train/entropy_loss": "entropy loss {:.2f}",
    SPEED: "{:,.0f} decisions/s",
}


class TrainingClock:
    """How much of a training is done, and how long the rest takes at the speed so far."""

    def __init__(self, settings: RunSettings) -> None:
        self._settings = settings
        self.restart()

    def restart(self, seconds: float = 0.0) -> None:
        """Counts from now on, after ``seconds`` of an earlier process."""
        self._start = time.monotonic() - seconds

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def progress(self, timesteps: int) -> float:
        """From 0 to 1: of the minutes if they limit the training, else of the timesteps."""
        settings = self._settings
        if settings.minutes > 0:
            return min(1.0, self.seconds / (60 * settings.minutes))
        return min(1.0, timesteps / settings.timesteps)

    def evaluations(self, timesteps: int) -> int:
        """How many evaluations are due by now, after the one at the start."""
        return int(self.progress(timesteps) * self._settings.evaluations)

    def left(self, timesteps: int) -> str:
        """The time left as text; nothing as long as no speed is known."""
        done = self.progress(timesteps)
        if done == 1:
            return "training done"
        return f"{duration(self.seconds * (1 - done) / done)} of training left" if done else ""


class ProgressView:
    """Shows the figures of a training on the screen."""

    def __init__(self, clock: TrainingClock, *, quiet: bool) -> None:
        self._clock = clock
        self._console = console = Console(highlight=False, force_jupyter=False, quiet=quiet)
        columns = (
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.fields[figures]}"),
        )
        # A log or a notebook would keep every redrawing of the bar.
        hidden = quiet or not console.file.isatty()
        self.bar = Progress(*columns, console=console, disable=hidden)
        self._task = self.bar.add_task("training", total=1.0, left="", figures="")

    def print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, markup=False)

    def show_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        texts = [text.format(figures[name]) for name, text in _FIGURES.items() if name in figures]
        self.bar.update(
            self._task,
            completed=self._clock.progress(timesteps),
            figures="  ".join(texts),
            left=self._clock.left(timesteps),
        )

    def show_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        """A line with the win shares."""
        against = ", ".join(
            f"{bot} {100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for bot, share in results.items()
        )
        line = f"{timesteps:>11,} decisions"
        line += f", win share in % against {against}" if results else ""
        self.print("; ".join(filter(None, (line, self._clock.left(timesteps)))))


def duration(seconds: float) -> str:
    """``45 s``, ``3 min 20 s`` or ``1 h 5 min``."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
