"""The figures of a run: CSV files, and event files for TensorBoard."""

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_arena.estimate import Estimate
from mindup_env.report import csv_text
from mindup_env.runs.files import errors_name, write_text
from mindup_training.run_folder import RunFolder

TIMESTEPS, OPPONENT = "timesteps", "opponent"
RETURN, WIN_SHARE = "games/return", "games/win_share"
"""Means over the games of a rollout; a learner may leave them out."""

Table = dict[str, npt.NDArray[Any]]
"""Columns by name, all of the same length; ``pandas.DataFrame(table)`` takes it as it is."""


class RunLog:
    """Writes ``metrics.csv``, with a row for each rollout, ``evaluations.csv``, and event files.

    A resumed run keeps the rows up to its checkpoint at ``last_timesteps``. It begins a new event
    file: TensorBoard hides what older files of the folder have from its first step on.
    """

    def __init__(self, folder: RunFolder, last_timesteps: int | None) -> None:
        from torch.utils.tensorboard.writer import SummaryWriter  # noqa: PLC0415  # takes a second

        self._rollouts = CsvLog(folder.metrics, last_timesteps)
        self._evaluations = CsvLog(folder.evaluations, last_timesteps)
        self._tensorboard = folder.tensorboard
        first_step = 0 if last_timesteps is None else last_timesteps + 1
        with errors_name(self._tensorboard):
            self._writer = SummaryWriter(str(self._tensorboard), purge_step=first_step)

    def add_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        """Adds the figures of a rollout by name, such as ``games/return``."""
        self._rollouts.add(timesteps, figures)
        self._show(timesteps, figures)

    def add_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        """Adds the win share against each bot, with its interval."""
        for bot, share in results.items():
            self._evaluations.add(timesteps, {OPPONENT: bot, **share._asdict()})
        self._show(timesteps, {f"win_share/{bot}": share.value for bot, share in results.items()})

    def close(self) -> None:
        with errors_name(self._tensorboard):
            self._writer.close()

    def _show(self, timesteps: int, figures: Mapping[str, float]) -> None:
        with errors_name(self._tensorboard):
            for name, figure in figures.items():
                self._writer.add_scalar(name, figure, timesteps)
            self._writer.flush()  # a thread writes: an error on a full disk comes from here


class CsvLog:
    """Rows of figures, each with its timesteps, that are written as they come."""

    def __init__(self, path: Path, last_timesteps: int | None = None) -> None:
        """Keeps the rows of ``path`` up to ``last_timesteps``, or none."""
        last = -1 if last_timesteps is None else last_timesteps
        kept = [row for row in read_csv_log(path) if int(row[TIMESTEPS]) <= last]
        self._path, self._empty = path, not kept
        if path.exists():
            # A line that is a dict has its names: the header.
            write_text(path, csv_text([*kept[:1], *(row.values() for row in kept)]))

    def add(self, timesteps: int, figures: Mapping[str, str | float]) -> None:
        row = {
            name: f"{value:.6g}" if isinstance(value, float) else str(value)
            for name, value in {TIMESTEPS: timesteps, **figures}.items()
        }
        with errors_name(self._path), self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(csv_text([row, row.values()] if self._empty else [row.values()]))
        self._empty = False


def read_csv_log(path: Path) -> list[dict[str, str]]:
    """All rows, but for a part of one that a killed process has left at the end."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return list(csv.DictReader(io.StringIO(text[: text.rfind("\n") + 1])))


def read_table(path: Path) -> Table:
    """The columns of all rows."""
    rows = read_csv_log(path)
    readers: dict[str, Callable[[str], Any]] = {OPPONENT: str, TIMESTEPS: int}
    return {
        name: np.array([readers.get(name, float)(row[name]) for row in rows])
        for name in (rows[0] if rows else ())
    }
