"""Plays an arena: all chunks that its folder lacks, then the report."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import ChunkPlayer, write_seats
from mindup_arena.report import Report, make_report
from mindup_arena.report_files import write_json
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.workers import play_in_processes, play_on_cluster
from mindup_env.runs.files import check_writable, lock_folder
from mindup_env.runs.fingerprints import Fingerprints
from mindup_env.runs.processes import MAX_WORKERS, with_progress
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require


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
            has the same settings. Without it, only an interrupted arena leaves a folder, which a
            note of the error names.
        address: Play on all cores of this Ray cluster instead: ``"local"``, ``"auto"``,
            ``"HOST:PORT"`` or ``"ray://HOST:10001"``.
        accept_changed_bots: Resume also if bots or libraries changed since the arena began; the
            report then has the fingerprints of both versions.
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
    with (
        kept_or_temporary(folder, settings.kind) as path,
        RunFolder.create_or_resume(path, settings.kind, settings) as run,
        ExitStack() as locks,
    ):
        if settings.record is not None:
            records = Path(settings.record)
            check_writable(records, records)
            if not records.samefile(path):
                locks.enter_context(lock_folder(records))
            write_seats(records, settings)
        kept = ArenaFolder(path)
        kept.begin()
        found = {each.number: kept.load(each) for each in chunks(settings) if kept.has(each)}
        missing = [chunk for chunk in chunks(settings) if chunk.number not in found]
        if missing:
            _add_fingerprints(run, now, has_results=bool(found), accept=accept_changed_bots)
        bots, players = kept.bots.resolve(), settings.config.num_players
        if address is None:
            make_player = partial(ChunkPlayer, settings, bots_folder=bots)
            playing = play_in_processes(missing, make_player, workers, settings.time_limit)
        else:
            playing = play_on_cluster(missing, settings, bots, address)
        for played in with_progress(
            playing,
            players * sum(len(chunk.deals) for chunk in missing),
            "games",
            size=lambda played: players * len(played.chunk.deals),
            shown=progress,
        ):
            kept.save(played)
            found[played.chunk.number] = played
        every = [found[number] for number in sorted(found)]
        report = make_report(settings, every, run.fingerprints)
        write_json(kept.report, report, timings=False)
    return report


def _add_fingerprints(
    run: RunFolder[ArenaSettings], now: Fingerprints, *, has_results: bool, accept: bool
) -> None:
    """Keeps what the bots that are about to play are made from; refuses changed ones."""
    if not has_results:
        run.fingerprints = [now]
    elif changes := run.fingerprints[-1].changes(now):
        if not accept:
            raise ValueError(
                f"bots have changed since the arena was begun ({'; '.join(changes)}): start "
                "another with --out, or mix both versions with --accept-changed-bots"
            )
        run.fingerprints.append(now)
    run.write()
