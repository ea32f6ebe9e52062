"""What a run prints: a bar with live figures, a line per evaluation, and the time left."""

import time
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from mindup_arena.estimate import Estimate
from mindup_training.loggers.csv_files import RETURN, WIN_SHARE
from mindup_training.run_folder import Extension
from mindup_training.settings.schedule import CheckpointTimes

SPEED = "time/decisions_per_second"
_FIGURES = {
    RETURN: "return {:+.2f}",
    WIN_SHARE: "win share {:.0%}",
    "train/entropy_loss": "entropy loss {:.2f}",
    SPEED: "{:,.0f} decisions/s",
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
        after = [each.at for each in self._extensions if each.at > timesteps]
        return float(min([self._times.next_after(self.now(timesteps)), *after]))

    def now(self, timesteps: int) -> float:
        """What checkpoints go by."""
        return self.seconds if self._times.in_seconds else timesteps

    def left(self, timesteps: int) -> str:
        """The time left as text; nothing as long as no speed is known."""
        done = self.progress(timesteps)
        if done == 1:
            return "training done"
        return f"{duration(self.seconds * (1 - done) / done)} of training left" if done else ""


class ProgressView:
    """Shows the figures of a training on the screen, as a logger that gets them."""

    def __init__(self, clock: TrainingClock, *, quiet: bool) -> None:
        self._clock = clock
        self._figures: Mapping[str, float] = {}
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

    def log_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        self._figures = figures
        texts = [text.format(figures[name]) for name, text in _FIGURES.items() if name in figures]
        self.bar.update(
            self._task,
            completed=self._clock.progress(timesteps),
            figures="  ".join(texts),
            left=self._clock.left(timesteps),
        )

    def log_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        """A line with the win shares, or with the figures of a learner that plays no bots."""
        against = ", ".join(
            f"{bot} {100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for bot, share in results.items()
        )
        measured = ", ".join(
            f"{name} {value:.4g}" for name, value in self._figures.items() if name != SPEED
        )
        line = f"{timesteps:>11,} decisions, "
        line += f"win share in % against {against}" if results else measured or "start"
        self.print("; ".join(filter(None, (line, self._clock.left(timesteps)))))

    def close(self, *, finished: bool) -> None:
        pass  # the bar ends with its context


def duration(seconds: float) -> str:
    """``45 s``, ``3 min 20 s`` or ``1 h 5 min``."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
