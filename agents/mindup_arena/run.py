"""Plays an arena: all chunks that its folder lacks, then the report."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import PlayedChunk
from mindup_arena.cluster import play_on_cluster
from mindup_arena.fingerprints import changed
from mindup_arena.report import Report, make_report
from mindup_arena.report_files import write_json
from mindup_arena.schedule import Chunk, chunks
from mindup_arena.settings import KIND, ArenaSettings
from mindup_arena.workers import play_in_processes
from mindup_env.runs.files import check_writable
from mindup_env.runs.options import MAX_WORKERS
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require

FINGERPRINTS = "fingerprints"
"""Among the details of the run."""


def run_arena(
    settings: ArenaSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    address: str | None = None,
    progress: bool = True,
) -> Report:
    """Ranks bots: plays all matches of the settings and estimates the results.

    The same seed gives the same results with any number of workers and on any cluster. Bots run in
    processes of their own, which import the main module: a script calls this under
    ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        workers: Number of processes that play.
        folder: Keeps the results. An arena that was interrupted in this folder is resumed, if it
            has the same settings. Without it, only an interrupted arena leaves a folder, which a
            note of the error names.
        address: Play on all cores of this Ray cluster instead: ``"local"``, ``"auto"``,
            ``"HOST:PORT"`` or ``"ray://HOST:10001"``.
        progress: Show a progress bar, if stderr is a terminal.

    Returns:
        The report; see ``print_report``, ``write_json``, ``write_csv`` and ``draw``.

    Raises:
        ValueError: A bot cannot be made or has changed, a folder cannot be written, or the folder
            has another run.
    """
    require("an arena", "arena", "rich", "scipy")
    check_int("workers", workers, 1, MAX_WORKERS)
    if address is not None and workers != 1:
        raise ValueError("a Ray cluster brings its own workers: set workers or address, not both")
    now = settings.check_bots()
    if settings.record is not None:
        check_writable(Path(settings.record), Path(settings.record))
    with (
        kept_or_temporary(folder, KIND) as path,
        RunFolder.create_or_resume(path, KIND, settings, details={FINGERPRINTS: now}) as run,
    ):
        kept = ArenaFolder(path)
        kept.begin()
        found = {each.number: kept.load(each) for each in chunks(settings) if kept.has(each)}
        missing = [chunk for chunk in chunks(settings) if chunk.number not in found]
        begun = run.details[FINGERPRINTS]
        # A result of two versions of a bot would be one of neither.
        if missing and (names := changed(begun, now)):
            raise ValueError(
                f"{', '.join(names)} changed since the arena in {path} began, and its results must "
                "not mix versions: start another with --out"
            )
        playing = (
            play_in_processes(missing, settings, workers)
            if address is None
            else play_on_cluster(missing, settings, address)
        )
        for played in _with_progress(playing, missing, settings, shown=progress):
            kept.save(played)
            found[played.chunk.number] = played
        report = make_report(settings, [found[number] for number in sorted(found)], begun)
        write_json(kept.report, report, timings=False)
    return report


def _with_progress(
    playing: Iterable[PlayedChunk],
    missing: Sequence[Chunk],
    settings: ArenaSettings,
    *,
    shown: bool,
) -> Iterator[PlayedChunk]:
    """What is played; if stderr is a terminal, a bar counts the games, with the time left."""
    from rich.console import Console  # noqa: PLC0415  # an extra
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.completed} of {task.total} games"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    games = settings.config.num_players
    console = Console(stderr=True, force_jupyter=False)
    with Progress(*columns, console=console, disable=not (shown and sys.stderr.isatty())) as bar:
        task = bar.add_task("", total=games * sum(len(chunk.deals) for chunk in missing))
        for played in playing:
            yield played
            bar.advance(task, games * len(played.chunk.deals))
