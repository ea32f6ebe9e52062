"""Rank bots: they play the same deals in all seats, and are compared with error bars."""

import argparse
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from mindup_arena.arguments import add_arguments, check_outputs, find_settings
from mindup_arena.cluster_play import play_all_on_cluster
from mindup_arena.extras import check_installed, library
from mindup_arena.outputs import write_csv, write_json
from mindup_arena.picture import draw
from mindup_arena.records import write_seating
from mindup_arena.report import Report, make_report
from mindup_arena.schedule import Chunk, chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.store import Store
from mindup_arena.terminal import print_report
from mindup_arena.worker import Done
from mindup_arena.worker_pool import play_all
from mindup_env.cli import INTERRUPTED

REPORT = "report.json"

Players = Callable[[ArenaSettings, Sequence[Chunk]], Iterator[Done]]


def configure(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    check_installed()
    settings = find_settings(arguments)
    settings.check_bots()
    check_outputs(arguments, settings)
    kept = arguments.resume or arguments.out
    folder = kept or Path(tempfile.mkdtemp(prefix="mindup-arena-"))
    store = Store(folder)
    try:
        store.begin(settings)
        play(settings, store, _players(arguments))
    except KeyboardInterrupt:
        again = f"mindup arena --resume {shlex.quote(str(folder))}"
        print(f"mindup: interrupted; to go on: {again}", file=sys.stderr)
        return INTERRUPTED
    report = make_report(settings, [store.load(chunk) for chunk in chunks(settings)])
    write_json(folder / REPORT, report, timings=False)
    show(report, arguments)
    if kept is None:
        shutil.rmtree(folder)
    return 0


def _players(arguments: argparse.Namespace) -> Players:
    """Processes of this machine, or a cluster."""
    if arguments.ray is None:
        return partial(play_all, num_workers=arguments.workers)
    return partial(play_all_on_cluster, address=arguments.ray)


def play(settings: ArenaSettings, store: Store, players: Players) -> None:
    """Plays the chunks that the store lacks, and keeps each as soon as it is played."""
    if settings.record is not None:
        write_seating(Path(settings.record), settings)
    todo = [chunk for chunk in chunks(settings) if not store.has(chunk)]
    bars = library("rich.progress")
    columns = (
        bars.TextColumn("{task.completed} of {task.total} games"),
        bars.BarColumn(),
        bars.TimeElapsedColumn(),
        bars.TextColumn("left"),
        bars.TimeRemainingColumn(),
    )
    console = library("rich.console").Console(stderr=True, force_jupyter=False)
    # A log or a notebook would keep every redrawing of the bar.
    with bars.Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        tables = settings.config.num_players
        games = progress.add_task("", total=tables * sum(len(chunk.deals) for chunk in todo))
        for done in players(settings, todo):
            store.save(done)
            progress.advance(games, tables * len(done.outcome.chunk.deals))


def show(report: Report, arguments: argparse.Namespace) -> None:
    """On the terminal, and in the files that were asked for."""
    print_report(report, library("rich.console").Console())
    for path, write in (
        (arguments.json, write_json),
        (arguments.csv, write_csv),
        (arguments.picture, draw),
    ):
        if path is not None:
            write(path, report)
