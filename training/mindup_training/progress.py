"""What a run shows while it works: a bar with live figures, and a line for each evaluation."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from mindup_arena.estimate import Estimate

_FIGURES = {
    "games/return": "return {:+.2f}",
    "games/win_share": "won {:.0%}",
    "train/entropy_loss": "entropy loss {:.2f}",
    "time/decisions_per_second": "{:,.0f} decisions/s",
}


class View:
    def __init__(self, console: Console, progress: Progress) -> None:
        self._console, self._progress = console, progress
        self._task = progress.add_task("training", total=1.0, figures="")

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        console = Console(highlight=False, force_jupyter=False)
        columns = (
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[figures]}"),
        )
        # A log or a notebook would keep every redrawing of the bar.
        with Progress(*columns, console=console, disable=not console.file.isatty()) as progress:
            yield cls(console, progress)

    def say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, markup=False)

    def show_done(self, done: float) -> None:
        self._progress.update(self._task, completed=done)

    def show_figures(self, done: float, figures: Mapping[str, float]) -> None:
        texts = [text.format(figures[name]) for name, text in _FIGURES.items() if name in figures]
        self._progress.update(self._task, completed=done, figures="  ".join(texts))

    def show_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        texts = [
            f"{bot} {100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"
            for bot, share in results.items()
        ]
        self.say(f"after {timesteps:>11,} decisions, win share in % against {', '.join(texts)}")
