"""Rank bots: they play the same deals in all seats, and are compared with error bars."""

import argparse
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.estimate import INTERVALS
from mindup_arena.merge import merge_arenas
from mindup_arena.picture import draw, picture_format
from mindup_arena.ray_cluster import LOCAL
from mindup_arena.report import Report
from mindup_arena.report_files import write_csv, write_json
from mindup_arena.run import MAX_WORKERS, check_writable, run_arena
from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import CHUNK_DEALS, TO_DRAW, ArenaSettings, TableOptions
from mindup_arena.terminal import print_report
from mindup_env.checks import check_int
from mindup_env.cli import advising
from mindup_env.extras import require
from mindup_env.options import add_options, flag, given_options

MERGE = "merge"
"""The first word of the command that merges the results of several arenas."""

Settings = TypeVar("Settings", bound=ArenaSettings)

NOTES = f"""{SCHEDULE}

A shared victory is split. Intervals: {INTERVALS}. A bot that plays an illegal card, fails, or
exceeds the time limit forfeits: from that decision on it plays its lowest cards in all games of the
chunk, which is one match over {CHUNK_DEALS} deals, and the report names it. One call of a bot
covers all its seats in a chunk; the first call in a process is not timed, since it also loads what
the bot needs. The same seed gives the same results with any number of workers, or on a cluster,
unless there is a time limit. {MERGE} FOLDER... plays nothing: it reports the results of several
arenas with the same bots and other seeds together."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add(
        "bots",
        nargs="*",
        metavar="BOT",
        help="a name, name:option=value,... or module:Class; or the word merge and FOLDER...",
    )
    add_options(parser, TableOptions)
    add_options(parser, ArenaSettings)
    add_run_options(parser)
    add("--json", type=Path, metavar="FILE", help="write the report, with timings, as JSON")
    add("--csv", type=Path, metavar="FILE", help="write the numbers of the report as CSV")
    add(
        "--picture",
        type=Path,
        metavar="FILE",
        help="draw the cross table and the ratings (.png, .svg, .pdf)",
    )
    parser.set_defaults(run=run)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of where games are played and kept."""
    add = parser.add_argument
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    add(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="play on all cores of a Ray cluster instead: auto for the cluster of this machine, or "
        "ray://HOST:10001; without an address, Ray is started on this machine",
    )
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument("--out", type=Path, metavar="FOLDER", help="keep the results in a folder")
    folder.add_argument("--resume", type=Path, metavar="FOLDER", help="resume what a folder keeps")


def run(arguments: argparse.Namespace) -> int:
    require("the arena", "arena", "matplotlib", "rich", "scipy")
    if arguments.picture is not None:
        picture_format(arguments.picture)
    if arguments.bots[:1] == [MERGE]:
        check_writable_files(arguments.json, arguments.csv, arguments.picture)
        show(merge_arenas(folders_to_merge(arguments)), arguments)
        return 0
    settings = find_settings(arguments, ArenaSettings)
    check_outputs(arguments, arguments.json, arguments.csv, arguments.picture)
    with results_folder(arguments, "arena") as folder:
        report = run_arena(
            settings, workers=arguments.workers, folder=folder, address=arguments.ray
        )
        show(report, arguments)
    return 0


def folders_to_merge(arguments: argparse.Namespace) -> list[Path]:
    """The folders after the word merge; refuses options of an arena that is played."""
    folder = {"out": arguments.out, "resume": arguments.resume, "ray": arguments.ray}
    given = {name: value for name, value in folder.items() if value is not None}
    given |= given_options(arguments, TableOptions) | given_options(arguments, ArenaSettings)
    for name in given:
        raise ValueError(
            f"merge plays nothing: it takes folders, --json, --csv and --picture, not {flag(name)}"
        )
    return [Path(folder) for folder in arguments.bots[1:]]


def show(report: Report, arguments: argparse.Namespace) -> None:
    """Prints the report, and writes the files that the arguments name."""
    print_report(report)
    for path, write in (
        (arguments.json, write_json),
        (arguments.csv, write_csv),
        (arguments.picture, draw),
    ):
        if path is not None:
            write(path, report)


@contextmanager
def results_folder(arguments: argparse.Namespace, command: str) -> Iterator[Path]:
    """The folder that the arguments name, or a temporary one, which an interrupted run leaves."""
    kept = arguments.resume or arguments.out
    folder = kept or Path(tempfile.mkdtemp(prefix=f"mindup-{command}-"))
    resume = shlex.join(["mindup", command, "--resume", str(folder)])
    advice = f"to resume: {resume}"
    with advising(lambda: advice if folder.exists() else f"start the {command} again"):
        try:
            yield folder
        except ValueError:
            if kept is None:
                shutil.rmtree(folder)
            raise
    if kept is None:
        shutil.rmtree(folder)


def find_settings(arguments: argparse.Namespace, settings_class: type[Settings]) -> Settings:
    """The settings of the arena to resume, or those that the arguments give."""
    given = given_options(arguments, settings_class)
    if "record" in given:
        given["record"] = str(Path(given["record"]).resolve())  # resumed from any folder
    table = given_options(arguments, TableOptions)
    if arguments.resume is not None:
        begun = ArenaFolder(arguments.resume, settings_class).read_settings()
        if isinstance(begun, settings_class):
            check_same(begun, {"bots": tuple(arguments.bots), **table, **given}, arguments.resume)
            return begun
        if not arguments.bots:
            raise ValueError(f"no {settings_class.kind} to resume in {arguments.resume}")
        # It was interrupted before it had begun.
    if given.get("agent_seed") == TO_DRAW:
        given["agent_seed"] = secrets.randbits(64)
    return settings_class(tuple(arguments.bots), TableOptions(**table).config, **given)


def check_same(begun: ArenaSettings, given: dict[str, Any], folder: Path) -> None:
    """Refuses to resume an arena, or what else plays like one, with other settings."""
    config = begun.config
    table = TableOptions(config.num_players, config.num_objectives, config.num_rounds)
    for name, value in given.items():
        had = getattr(table if hasattr(table, name) else begun, name)
        if value not in ((), had):
            what = "bots" if name == "bots" else flag(name)
            raise ValueError(
                f"the {begun.kind} in {folder} has {what} {_text(had)}, not {_text(value)}: leave "
                f"out the settings to resume it, or use --out for another {begun.kind}"
            )


def _text(value: Any) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def check_outputs(arguments: argparse.Namespace, *paths: Path | None) -> None:
    """Refuses, before anything is played, files that cannot be written afterwards."""
    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    if arguments.ray is not None and arguments.workers != 1:
        raise ValueError("--ray uses all workers of the cluster: leave out --workers")
    if arguments.out is not None and ArenaFolder(arguments.out).has_settings():
        raise ValueError(f"{arguments.out} has results already: resume them with --resume")
    check_writable_files(*paths)


def check_writable_files(*paths: Path | None) -> None:
    for path in paths:
        if path is not None:
            check_writable(path, path.parent)
            if path.is_dir():
                raise ValueError(f"cannot write {path}: it is a folder")
