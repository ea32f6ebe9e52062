"""Plays an arena: all chunks that its folder lacks, then the report."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import ChunkPlayer, PlayedChunk, write_seats
from mindup_arena.fingerprint import Fingerprints
from mindup_arena.ray_cluster import play_on_cluster
from mindup_arena.report import Report, make_report
from mindup_arena.report_files import write_json
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker_pool import play_in_processes
from mindup_env.runs.files import remove_leftovers
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # rich is an extra
    from rich.progress import Progress


MAX_WORKERS = 1024  # more than machines have cores


def run_arena(
    settings: ArenaSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    address: str | None = None,
    accept_changed_bots: bool = False,
    progress: bool = True,
) -> Report:
    """Ranks bots: plays all matches of the settings and estimates the results.

    The same seed gives the same results with any number of workers and on any cluster, unless
    there is a time limit. Bots run in processes of their own, which import the main module: a
    script calls this under ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        workers: Number of processes that play.
        folder: Keeps the results. An arena that was interrupted in this folder is resumed, if it
            has the same settings.
        address: Play on all cores of this Ray cluster instead: ``"local"``, ``"auto"``,
            ``"HOST:PORT"`` or ``"ray://HOST:10001"``.
        accept_changed_bots: Resume also if bots or libraries changed since the arena began; the
            report then has the fingerprints of both versions.
        progress: Show a progress bar, if stderr is a terminal.

    Returns:
        The report; see ``print_report``, ``write_json``, ``write_csv`` and ``draw``.

    Raises:
        ValueError: A bot cannot be made or has changed, a folder cannot be written, or the folder
            has an arena with other settings.
    """
    with open_played(
        settings,
        workers=workers,
        folder=folder,
        address=address,
        accept_changed_bots=accept_changed_bots,
        progress=progress,
    ) as (kept, played):
        report = make_report(settings, played, kept.read_fingerprints())
        write_json(kept.report, report, timings=False)
    return report


@contextmanager
def open_played(
    settings: ArenaSettings,
    *,
    workers: int,
    folder: Path | None,
    address: str | None,
    accept_changed_bots: bool,
    progress: bool,
) -> Iterator[tuple[ArenaFolder, list[PlayedChunk]]]:
    """The folder of an arena and all its chunks; plays those that are missing.

    The arguments are those of ``run_arena``. Without a folder, a temporary one is used.
    """
    require(f"the {settings.kind}", "arena", "rich", "scipy")
    check_int("workers", workers, 1, MAX_WORKERS)
    if address is not None and workers != 1:
        raise ValueError("a Ray cluster brings its own workers: set workers or address, not both")
    settings.check_bots()
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mindup-arena-")))
        kept = stack.enter_context(_open_folder(folder, settings))
        missing = [chunk for chunk in chunks(settings) if not kept.has(chunk)]
        if missing:
            add_fingerprints(kept, Fingerprints.of(settings.bots), accept=accept_changed_bots)
        if address is None:
            make_player = partial(ChunkPlayer, settings, bots_folder=kept.bots.resolve())
            playing = play_in_processes(settings, missing, workers, make_player)
        else:
            playing = play_on_cluster(settings, missing, address, kept.bots.resolve())
        players = settings.config.num_players
        with progress_bar(shown=progress and sys.stderr.isatty()) as bar:
            games = bar.add_task("", total=players * sum(len(chunk.deals) for chunk in missing))
            for played in playing:
                kept.save(played)
                bar.advance(games, players * len(played.chunk.deals))
        yield kept, [kept.load(chunk, settings) for chunk in chunks(settings)]


def check_writable(path: Path, folder: Path) -> None:
    """Refuses a path in a folder that cannot be written; makes the folder if there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


def add_fingerprints(kept: ArenaFolder, now: Fingerprints, *, accept: bool) -> None:
    """Keeps the fingerprints of the bots that are about to play; refuses changed ones."""
    found = kept.read_fingerprints() if kept.has_results() else []
    before = found[-1] if found else now
    if before is None:
        print(
            "mindup: the arena was begun by a version that kept no fingerprints: whether its bots "
            "have changed since then is not known",
            file=sys.stderr,
        )
    elif changes := before.changes(now):
        if not accept:
            raise ValueError(
                f"bots have changed since the arena was begun ({'; '.join(changes)}): start "
                "another with --out, or mix both versions with --accept-changed-bots"
            )
    elif found:
        return
    kept.write_fingerprints([*found, now])


@contextmanager
def _open_folder(folder: Path, settings: ArenaSettings) -> Iterator[ArenaFolder]:
    """The folder of a new arena or of one with the same settings; no other process writes to it."""
    kept = ArenaFolder(folder, type(settings))
    with ExitStack() as locks:
        check_writable(folder, folder)
        locks.enter_context(lock_folder(folder))
        found = kept.read_settings()
        if found not in (None, settings):
            raise ValueError(f"{folder} has results of other settings: choose another folder")
        if settings.record is not None:
            records = Path(settings.record)
            check_writable(records, records)
            if not records.samefile(folder):
                locks.enter_context(lock_folder(records))
            remove_leftovers(records)
            write_seats(records, settings)
        kept.begin(settings)
        yield kept


@contextmanager
def progress_bar(*, shown: bool, unit: str = "games") -> Iterator["Progress"]:
    """A bar that counts what is done, with the time left, on stderr."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(f"{{task.completed}} of {{task.total}} {unit}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, force_jupyter=False)
    with Progress(*columns, console=console, disable=not shown) as bar:
        yield bar
