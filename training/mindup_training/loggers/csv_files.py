"""The metrics of a run as CSV files, which every run has: learning curves read them."""

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
from mindup_training.loggers.protocol import LoggedRun
from mindup_training.run_folder import RunPaths

TIMESTEPS, OPPONENT = "timesteps", "opponent"
RETURN, WIN_SHARE = "games/return", "games/win_share"
"""Means over the games of a rollout; a learner may leave them out."""

Table = dict[str, npt.NDArray[Any]]
"""Columns by name, all of the same length; ``pandas.DataFrame(table)`` takes it as it is."""


class CsvLogger:
    """Writes ``metrics.csv``, with a row for each rollout, and ``evaluations.csv``.

    A resumed run keeps the rows up to its checkpoint.
    """

    def __init__(self, run: LoggedRun) -> None:
        paths = RunPaths(run.path)
        self._rollouts = CsvLog(paths.metrics, run.last_timesteps)
        self._evaluations = CsvLog(paths.evaluations, run.last_timesteps)

    def log_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        self._rollouts.add(timesteps, figures)

    def log_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        for bot, share in results.items():
            self._evaluations.add(timesteps, {OPPONENT: bot, **share._asdict()})

    def close(self, *, finished: bool) -> None:
        pass  # each row is in the file since it was logged


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
