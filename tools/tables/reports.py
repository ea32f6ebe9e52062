"""The reports in docs/results, and what tables take from them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mindup_env.report import Column
from mindup_env.report.table import Interval
from tools import ROOT

RESULTS = ROOT / "docs" / "results"
_WIN_SHARE = Column("win_share", form="{:.1f}")
_OF_RUNS = Column("value", form="{:.1f}", scale=100, ends=("low", "high"))


def names(start: str = "") -> list[str]:
    """The names of all reports in docs/results that begin so."""
    paths = sorted(RESULTS.rglob("*.json"))
    found = [path.relative_to(RESULTS).with_suffix("").as_posix() for path in paths]
    return [name for name in found if name.startswith(start)]


def report(name: str) -> Any:
    """The report ``docs/results/NAME.json``."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def benchmark_results(size: str = "full") -> list[Path]:
    """The results of a size: the project's own, and those of others."""
    folders = (RESULTS / kind / size for kind in ("benchmark", "submissions"))
    return [path for folder in folders for path in sorted(folder.glob("*.json"))]


def some(rows: Iterable[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    """The rows with these entries."""
    return [row for row in rows if wanted.items() <= row.items()]


def only(rows: Iterable[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    """The one row with these entries."""
    (found,) = some(rows, **wanted)
    return found


def interval(row: dict[str, Any]) -> str:
    """The win share of a row of an arena in percent, with its interval."""
    return _WIN_SHARE.with_interval(_WIN_SHARE.read(row))


def interval_of_runs(estimate: dict[str, Any]) -> str:
    """The same of a win share as best responses have them."""
    return _OF_RUNS.with_interval(_OF_RUNS.read(estimate))


def shares_between(*reports: str) -> dict[tuple[str, str], str]:
    """The win shares of one bot against copies of another, by both, in reports of the arena."""
    return {
        both: _WIN_SHARE.with_interval(share) for both, share in values_between(*reports).items()
    }


def values_between(*reports: str) -> dict[tuple[str, str], Interval]:
    """The same as numbers: the win share in percent, and the ends of its interval."""
    return {
        (cell["one"], cell["field"]): _WIN_SHARE.read(cell)
        for name in reports
        for cell in report(name)["cross_table"]
    }
