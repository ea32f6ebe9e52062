"""The metrics of a run as CSV files, which every run has: learning curves read them."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from mindup_arena.estimate import Estimate
from mindup_env.runs.files import errors_name, write_text
from mindup_training.loggers.protocol import LoggedRun
from mindup_training.run_folder import RunPaths

TIMESTEPS, OPPONENT = "timesteps", "opponent"


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
        """Each row is in the file since it was logged."""


class CsvLog:
    """Rows of figures, each with its timesteps, that are written as they come."""

    def __init__(self, path: Path, last_timesteps: int | None = None) -> None:
        """Keeps the rows of ``path`` up to ``last_timesteps``, or none."""
        self._path = path
        rows = read_csv_log(path) if last_timesteps is not None else []
        kept = [row for row in rows if int(row[TIMESTEPS]) <= (last_timesteps or 0)]
        self._empty = not kept
        if path.exists():
            write_text(path, _csv_text(kept, header=True))

    def add(self, timesteps: int, figures: Mapping[str, str | float]) -> None:
        row = {TIMESTEPS: str(timesteps)}
        row |= {
            name: f"{value:.6g}" if isinstance(value, float) else str(value)
            for name, value in figures.items()
        }
        with errors_name(self._path), self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(_csv_text([row], header=self._empty))
        self._empty = False


def read_csv_log(path: Path) -> list[dict[str, str]]:
    """All complete rows, each once and in order.

    A killed process may have left a part of a row; two processes that wrote to one file, as older
    versions allowed, have left a second header and rows that are there twice.
    """
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8", errors="replace").replace("\0", "")
    complete = text[: text.rfind("\n") + 1]
    header, *lines = csv.reader(io.StringIO(complete), strict=False) if complete else [[]]
    if TIMESTEPS not in header:
        return []
    found: dict[tuple[int, str], dict[str, str]] = {}
    for line in lines:
        row = dict(zip(header, line, strict=False))
        if len(line) == len(header) and _has_figures(row):
            found.setdefault((int(row[TIMESTEPS]), row.get(OPPONENT, "")), row)
    return sorted(found.values(), key=lambda row: int(row[TIMESTEPS]))


def _has_figures(row: Mapping[str, str]) -> bool:
    """Whether the timesteps and all figures are numbers: a second header has none."""
    try:
        for name, text in row.items():
            if name != OPPONENT:
                float(text)
    except ValueError:
        return False
    return row[TIMESTEPS].isdecimal()


def _csv_text(rows: list[dict[str, str]], *, header: bool) -> str:
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
