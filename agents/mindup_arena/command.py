"""Rank bots: they play the same deals in all seats, and are compared with error bars."""

import argparse
import secrets
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any

from mindup_agents.llm import budget_of_run
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.picture import draw, picture_format
from mindup_arena.ray_cluster import LOCAL
from mindup_arena.report_files import write_csv, write_json
from mindup_arena.run import MAX_WORKERS, check_writable, run_arena
from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import CHUNK_DEALS, TO_DRAW, ArenaSettings, TableOptions
from mindup_arena.terminal import print_report
from mindup_env.checks import check_int
from mindup_env.cli import advising
from mindup_env.extras import require
from mindup_env.options import add_options, flag, given_options

NOTES = f"""{SCHEDULE}

Intervals (95 %) are from a bootstrap over deals; a shared victory is split. A bot that plays an
illegal card, fails, or exceeds the time limit forfeits: from that decision on it plays its lowest
cards in all games of the chunk, which is one match over {CHUNK_DEALS} deals, and the report names
it. One call of a bot covers all its seats in a chunk; the first call in a process is not timed,
since it also loads what the bot needs. The same seed gives the same results with any number of
workers, or on a cluster, unless there is a time limit."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add_options(parser, TableOptions)
    add_options(parser, ArenaSettings)
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    add(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="play on all cores of a Ray cluster instead: auto for the cluster of this machine, or "
        "ray://HOST:10001; without an address, Ray is started on this machine",
    )
    add(
        "--budget",
        metavar="COST",
        help="stop when the language models of the run have cost this much, in the currency of "
        "their prices; to go on, resume with more",
    )
    add("--json", type=Path, metavar="FILE", help="write the report, with timings, as JSON")
    add("--csv", type=Path, metavar="FILE", help="write the numbers of the report as CSV")
    add(
        "--picture",
        type=Path,
        metavar="FILE",
        help="draw the cross table and the ratings (.png, .svg, .pdf)",
    )
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument("--out", type=Path, metavar="FOLDER", help="keep the results in a folder")
    folder.add_argument(
        "--resume", type=Path, metavar="FOLDER", help="resume the arena in a folder"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("the arena", "arena", "matplotlib", "rich", "scipy")
    settings = find_settings(arguments)
    _check_outputs(arguments)
    kept = arguments.resume or arguments.out
    folder = kept or Path(tempfile.mkdtemp(prefix="mindup-arena-"))
    resume = shlex.join(["mindup", "arena", "--resume", str(folder)])
    advice = advising(
        lambda: f"to resume: {resume}" if folder.exists() else "start the arena again"
    )
    with budget_of_run(arguments.budget, folder), advice:
        try:
            report = run_arena(
                settings, workers=arguments.workers, folder=folder, address=arguments.ray
            )
        except ValueError:
            if kept is None:
                shutil.rmtree(folder)
            raise
        print_report(report)
        for path, write in (
            (arguments.json, write_json),
            (arguments.csv, write_csv),
            (arguments.picture, draw),
        ):
            if path is not None:
                write(path, report)
    if kept is None:
        shutil.rmtree(folder)
    return 0


def find_settings(arguments: argparse.Namespace) -> ArenaSettings:
    """The settings of the arena to resume, or those that the arguments give."""
    given = given_options(arguments, ArenaSettings)
    if "record" in given:
        given["record"] = str(Path(given["record"]).resolve())  # resumed from any folder
    table = given_options(arguments, TableOptions)
    if arguments.resume is not None:
        begun = ArenaFolder(arguments.resume).read_settings()
        if begun is not None:
            check_same(begun, {"bots": tuple(arguments.bots), **table, **given}, arguments.resume)
            return begun
        if not arguments.bots:
            raise ValueError(f"no arena to resume in {arguments.resume}")
        # It was interrupted before it had begun.
    if given.get("agent_seed") == TO_DRAW:
        given["agent_seed"] = secrets.randbits(64)
    return ArenaSettings(tuple(arguments.bots), TableOptions(**table).config, **given)


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


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuses, before anything is played, files that cannot be written afterwards."""
    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    if arguments.ray is not None and arguments.workers != 1:
        raise ValueError("--ray uses all workers of the cluster: leave out --workers")
    if arguments.ray is not None and arguments.budget is not None:
        raise ValueError("--budget is for the processes of one machine: leave out --ray")
    if arguments.out is not None and ArenaFolder(arguments.out).read_settings() is not None:
        raise ValueError(f"{arguments.out} has an arena already: resume it with --resume")
    for path in (arguments.json, arguments.csv, arguments.picture):
        if path is not None:
            check_writable(path, path.parent)
            if path.is_dir():
                raise ValueError(f"cannot write {path}: it is a folder")
    if arguments.picture is not None:
        picture_format(arguments.picture)
