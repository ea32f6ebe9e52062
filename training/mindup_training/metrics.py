"""The figures of a run, as CSV files and for TensorBoard."""

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from mindup_arena.estimate import Estimate
from mindup_env.files import write_text
from mindup_training.run_folder import RunPaths

TIMESTEPS = "timesteps"
RETURN, WIN_SHARE = "games/return", "games/win_share"
"""Means over the games of a rollout; a learner may leave them out."""


class Metrics:
    def __init__(self, rollouts: "CsvLog", evaluations: "CsvLog", board: Any) -> None:
        self._rollouts, self._evaluations, self._board = rollouts, evaluations, board

    @classmethod
    @contextmanager
    def open(cls, paths: RunPaths, last_timesteps: int | None = None) -> Iterator[Self]:
        """Keeps what is recorded up to ``last_timesteps``, of a resumed run; None for a new one."""
        # TensorBoard takes seconds to load, and only trainings use it.
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415

        purge_step = 0 if last_timesteps is None else last_timesteps + 1
        board: Any = SummaryWriter(str(paths.tensorboard), purge_step=purge_step)
        rollouts = CsvLog(paths.metrics, last_timesteps)
        evaluations = CsvLog(paths.evaluations, last_timesteps)
        try:
            yield cls(rollouts, evaluations, board)
        finally:
            board.close()

    def add_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        self._rollouts.add(timesteps, figures)
        for name, value in figures.items():
            self._board.add_scalar(name, value, timesteps)

    def add_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        for bot, share in results.items():
            self._evaluations.add(timesteps, {"opponent": bot, **share._asdict()})
            self._board.add_scalar(f"win_share/{bot}", share.value, timesteps)
        self._board.flush()


class CsvLog:
    """Rows of figures, each with its timesteps, that are written as they come."""

    def __init__(self, path: Path, last_timesteps: int | None = None) -> None:
        """Keeps the rows of ``path`` up to ``last_timesteps``, or none."""
        self._path = path
        rows = read_csv_log(path) if last_timesteps is not None else []
        kept = [row for row in rows if float(row[TIMESTEPS]) <= (last_timesteps or 0)]
        self._empty = not kept
        if path.exists():
            write_text(path, _csv_text(kept, header=True))

    def add(self, timesteps: int, figures: Mapping[str, str | float]) -> None:
        row = {TIMESTEPS: str(timesteps)}
        row |= {
            name: f"{value:.6g}" if isinstance(value, float) else str(value)
            for name, value in figures.items()
        }
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(_csv_text([row], header=self._empty))
        self._empty = False


def read_csv_log(path: Path) -> list[dict[str, str]]:
    """All complete rows; a killed process may have left a part of one."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    complete = text[: text.rfind("\n") + 1]
    return list(csv.DictReader(io.StringIO(complete)))


def _csv_text(rows: list[dict[str, str]], *, header: bool) -> str:
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
