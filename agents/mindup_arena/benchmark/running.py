"""Runs the benchmark: an arena for each game, in a folder of its own, so that it can be resumed."""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.benchmark.protocol import BenchmarkGame, BenchmarkSettings
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.chunk import record_path
from mindup_arena.estimate import Floats
from mindup_arena.report import Report
from mindup_arena.run import run_arena
from mindup_arena.schedule import chunks
from mindup_env.runs.files import check_writable
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.extras import require

RESULT = "result.json"
KIND = "benchmark"
_RECORDS = "games"
_CPU_INFO = Path("/proc/cpuinfo")
_LIBRARIES = "mindup-env", "numpy", "numba"


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
    with ExitStack() as stack:
        if folder is None:
            temporary = tempfile.TemporaryDirectory(prefix="mindup-benchmark-")
            folder = Path(stack.enter_context(temporary))
        check_writable(folder, folder)
        stack.enter_context(RunFolder.create_or_resume(folder, KIND, settings))
        rules, reports = settings.rules, []
        for number, game in enumerate(rules.games, start=1):
            if progress:
                print(f"game {number} of {len(rules.games)}: {game.name}", file=sys.stderr)
            own = _folder_of(folder, game)
            records = str((own / _RECORDS).resolve())
            arena = rules.arena_settings(settings.bot, game, settings.size, records)
            reports.append(run_arena(arena, workers=workers, folder=own, progress=progress))
        result = _make_result(settings, folder, reports)
        write_result(folder / RESULT, result)
    return result


def _folder_of(folder: Path, game: BenchmarkGame) -> Path:
    return folder / f"{game.players}-players-{game.objectives}-objectives"


def _make_result(
    settings: BenchmarkSettings, folder: Path, reports: Sequence[Report]
) -> BenchmarkResult:
    bot = 0  # the first of each arena
    times = [report.times[bot] for report in reports]
    decisions = sum(time.decisions for time in times)
    seconds = sum(time.seconds for time in times)
    games = settings.rules.games
    folders = [_folder_of(folder, game) for game in games]
    return BenchmarkResult(
        settings,
        np.array(
            [_win_shares(settings, *each) for each in zip(games, folders, reports, strict=True)]
        ),
        sum(report.games_forfeited(bot) for report in reports),
        decisions / seconds if decisions and seconds else None,
        describe_machine(),
        fingerprints=_fingerprints(reports),
        records=[_read_record(own, report) for own, report in zip(folders, reports, strict=True)],
    )


def _fingerprints(reports: Sequence[Report]) -> dict[str, list[str]]:
    """For each bot, the hashes of the versions that played; unknown ones are left out."""
    found: dict[str, list[str]] = {}
    for report in reports:
        for played in report.fingerprints:
            for bot, digest in played.digests().items():
                if digest not in found.setdefault(bot, []):
                    found[bot].append(digest)
    return found


def _win_shares(
    settings: BenchmarkSettings, game: BenchmarkGame, folder: Path, report: Report
) -> Floats:
    """The win shares (rivals, deals) of a game; equal play against copies of the bot itself."""
    rules = settings.rules
    rivals, panel = list(rules.rivals_of(settings.bot)), list(rules.panel)
    shares = np.full((len(panel), rules.sizes[settings.size].deals), 1 / game.players)
    for chunk in chunks(report.settings):
        played = ArenaFolder(folder).load(chunk)
        # One bot, at the first place of the table: (deals, rotations, places).
        means = played.results.win_shares[..., 0].mean(axis=1)
        row = panel.index(rivals[chunk.match])
        shares[row, chunk.deals.start : chunk.deals.stop] = means
    return shares


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
        **{name: version(name) for name in _LIBRARIES},
    }


def processor() -> str:
    """Its model; on a system that does not tell, the kind of processor."""
    if _CPU_INFO.exists():
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            title, _, model = line.partition(":")
            if title.strip() == "model name":
                return model.strip()
    return platform.processor() or platform.machine() or "unknown"
