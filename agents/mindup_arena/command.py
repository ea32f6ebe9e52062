"""Rank bots: they play the same deals in all seats, and are compared with error bars.

Example: mindup arena rank random greedy planner --deals 300
"""

import argparse
from pathlib import Path

from mindup_arena.benchmark.board_page import write_html
from mindup_arena.cluster import LOCAL
from mindup_arena.estimate import INTERVALS
from mindup_arena.picture import draw
from mindup_arena.report import FORFEITED
from mindup_arena.report_files import print_report, write_csv, write_json
from mindup_arena.run import run_arena
from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import CHUNK_DEALS, KIND, ArenaSettings
from mindup_env.report.picture import picture_format
from mindup_env.runs.files import check_writable
from mindup_env.runs.options import (
    TableOptions,
    add_folder_options,
    add_workers,
    run_path,
    workers_of,
)
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.extras import require
from mindup_env.settings.rare_help import RareHelp

OPTIONS = "deals", "seed", "agent_seed", "one_vs_field", "record"
"""The settings that are options of the command."""

NOTES = f"""{SCHEDULE}

A shared victory is split. Intervals: {INTERVALS}. A bot that plays an illegal card forfeits this
game, and one that raises an error all games of this call: from that decision on it plays its lowest
cards in them. The report names it, and the exit status is {FORFEITED}. One call of a bot covers all
its seats in a chunk, which is one match over {CHUNK_DEALS} deals; the first call in a process is
not timed, since it also loads what the bot needs. The same seed gives the same results with any
number of workers, or on a cluster."""

FILES = {
    "json": ("write the report, with timings, as JSON", write_json),
    "csv": ("write the numbers of the report as CSV", write_csv),
    "picture": ("draw the cross table and the ratings (.png, .svg, .pdf)", draw),
    "html": ("write the report as a web page", write_html),
}
"""The options of files, and what writes them."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    parser.add_argument(
        "bots",
        nargs="*",
        metavar="BOT",
        help="a name, name:option=value,... or module:Class",
    )
    add_options(parser, TableOptions)
    add_options(parser, ArenaSettings, names=OPTIONS)
    add_workers(parser)
    parser.add_argument(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help=RareHelp(
            "play on all cores of a Ray cluster instead: auto for the cluster of this machine, or "
            "ray://HOST:10001; without an address, Ray is started on this machine"
        ),
    )
    add_folder_options(parser, beside_resume=("workers", "ray", *FILES))
    for name, (what, _) in FILES.items():
        parser.add_argument(flag(name), type=Path, metavar="FILE", help=what)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("mindup arena rank", "arena", "matplotlib", "rich", "scipy")
    files = {name: getattr(arguments, name) for name in FILES if getattr(arguments, name)}
    if arguments.picture is not None:
        picture_format(arguments.picture)
    for file in files.values():
        check_writable(file)
    path, settings = run_path(arguments), find_settings(arguments)
    if arguments.ray is not None and arguments.workers is not None:
        raise ValueError("--ray uses all cores of the cluster: leave out --workers")
    workers = workers_of(arguments)
    with kept_or_temporary(path, KIND) as folder:
        report = run_arena(settings, workers=workers, folder=folder, address=arguments.ray)
        print_report(report)
        for name, file in files.items():
            FILES[name][1](file, report)
    return report.exit_status


def find_settings(arguments: argparse.Namespace) -> ArenaSettings:
    """The settings of the run to resume, or those that the arguments give."""
    if arguments.resume is not None:
        return RunFolder.read(arguments.resume, KIND, ArenaSettings).settings
    config = TableOptions(**given_options(arguments, TableOptions)).config
    given = given_options(arguments, ArenaSettings)
    return ArenaSettings(tuple(arguments.bots), config, **given)
