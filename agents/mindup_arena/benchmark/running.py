"""Runs the benchmark: an arena for each game, in a folder of its own, so that it can be resumed."""

import json
import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.benchmark.protocol import BenchmarkSettings
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import record_path
from mindup_arena.estimate import Floats
from mindup_arena.report import Report
from mindup_arena.run import run_arena
from mindup_env.runs.files import check_writable
from mindup_env.runs.fingerprints import versions_of
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.extras import require

RESULT = "result.json"
KIND = "benchmark"
_RECORDS = "games"
_CPU_INFO = Path("/proc/cpuinfo")


def run_benchmark(
    settings: BenchmarkSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    progress: bool = True,
) -> BenchmarkResult:
    """Plays all games of the benchmark that the folder lacks.

    The same bot gives the same result with any number of workers, but for its speed. Bots run in
    processes of their own, which import the main module: a script calls this under
    ``if __name__ == "__main__":``.

    Args:
        settings: The bot, the size and the name.
        workers: Number of processes that play.
        folder: Keeps the results, with a record of each game. A benchmark that was interrupted in
            this folder is resumed, if it has the same settings.
        progress: Show progress bars, if stderr is a terminal.

    Returns:
        The result; the folder has it as ``result.json``.

    Raises:
        ValueError: The bot cannot be made, the folder cannot be written, or it has a benchmark
            with other settings.
    """
    require("the benchmark", "arena", "rich", "scipy")
    settings.check_bot()
    progress = progress and sys.stderr.isatty()
    games, folders, reports = settings.rules.games, [], []
    with kept_or_temporary(folder, KIND) as kept:
        check_writable(kept, kept)
        with RunFolder.create_or_resume(kept, KIND, settings):
            for number, game in enumerate(games, start=1):
                if progress:
                    print(f"game {number} of {len(games)}: {game.name}", file=sys.stderr)
                own = kept / f"{game.players}-players-{game.objectives}-objectives"
                records = str((own / _RECORDS).resolve())
                arena = settings.rules.arena_settings(settings.bot, game, settings.size, records)
                reports.append(run_arena(arena, workers=workers, folder=own, progress=progress))
                folders.append(own)
            result = _make_result(settings, folders, reports)
            write_result(kept / RESULT, result)
    return result


def _make_result(
    settings: BenchmarkSettings, folders: Sequence[Path], reports: Sequence[Report]
) -> BenchmarkResult:
    bot = 0  # the first of each arena
    times = [report.times[bot] for report in reports]
    versions: dict[str, dict[str, None]] = {}
    for played in (each for report in reports for each in report.fingerprints):
        for spec, digest in played.digests().items():
            versions.setdefault(spec, {})[digest] = None
    return BenchmarkResult(
        settings,
        np.array([_win_shares(settings, report) for report in reports]),
        sum(report.games_forfeited(bot) for report in reports),
        DecisionTime(*map(sum, zip(*times, strict=True))).speed,
        describe_machine(),
        fingerprints={spec: list(found) for spec, found in versions.items()},
        records=[_read_record(own, report) for own, report in zip(folders, reports, strict=True)],
    )


def _win_shares(settings: BenchmarkSettings, report: Report) -> Floats:
    """The win shares (rivals, deals) of a game; equal play against copies of the bot itself."""
    # Each match has one bot, at the first place of the table: (deals, rotations, places).
    found = [each.win_shares[..., 0].mean(axis=1) for each in report.results]
    shares = dict(zip(settings.rules.rivals_of(settings.bot), found, strict=True))
    equal = np.full(len(found[0]), 1 / report.settings.config.num_players)
    return np.array([shares.get(rival, equal) for rival in settings.rules.panel])


def _read_record(folder: Path, report: Report) -> Mapping[str, Any]:
    """The record of the first deal against the last rival, which is the strongest."""
    path = record_path(folder / _RECORDS, len(report.matches) - 1, deal=0, rotation=0)
    record: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def describe_machine() -> dict[str, str]:
    """The processor, on which speeds depend, the cores and the versions."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "system": f"{platform.system()} on {platform.machine()}",
        "python": platform.python_version(),
        **versions_of(),
    }


def processor() -> str:
    """Its model; on a system that does not tell, the kind of processor."""
    if _CPU_INFO.exists():
        text = _CPU_INFO.read_text(encoding="utf-8", errors="replace")
        if found := re.search(r"^model name\s*:(.*)", text, re.MULTILINE):
            return found[1].strip()
    return platform.processor() or platform.machine() or "unknown"
