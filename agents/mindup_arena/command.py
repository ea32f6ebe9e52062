"""Rank bots: they play the same deals in all seats, and are compared with error bars.

Example: mindup arena rank random greedy planner --deals 300
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from mindup_agents.llm import budget_of_run
from mindup_arena.benchmark.board_page import write_html
from mindup_arena.estimate import INTERVALS
from mindup_arena.picture import draw
from mindup_arena.report import FORFEITED
from mindup_arena.report_files import print_report, write_csv, write_json
from mindup_arena.run import run_arena
from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import CHUNK_DEALS, ArenaSettings, MatchSettings
from mindup_env.agent import full_spec
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

Matches = TypeVar("Matches", bound=MatchSettings)

OPTIONS = "deals", "seed", "agent_seed", "one_vs_field", "time_limit", "record"
"""The settings that are options of the command."""

NOTES = f"""{SCHEDULE}

A shared victory is split. Intervals: {INTERVALS}. A bot that plays an illegal card, fails, or
exceeds the time limit forfeits this game: from that decision on it plays its lowest cards in it.
The report names it, and the exit status is {FORFEITED}. One call of a bot covers all its seats in a
chunk, which is one match over {CHUNK_DEALS} deals; the first call in a process is not timed, since
it also loads what the bot needs. The same seed gives the same results with any number of workers,
or on a cluster, unless there is a time limit."""

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
    add_workers(parser, "processes that play", on_cluster="play")
    parser.add_argument(
        "--budget",
        metavar="COST",
        help=RareHelp(
            "stop when the language models of the run have cost this much, in the currency of "
            "their prices; to go on, resume with more"
        ),
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="BOT=NAME",
        help="call a bot NAME in the report; can be given several times",
    )
    parser.add_argument(
        "--accept-changed-bots",
        action="store_true",
        help=RareHelp("resume also if bots have changed; the report then names both versions"),
    )
    more = "workers", "ray", "budget", "name", "accept_changed_bots"
    add_folder_options(parser, beside_resume=(*more, *FILES))
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
    path, settings = run_path(arguments), find_settings(arguments, ArenaSettings)
    if names := given_names(arguments.name, settings.bots):
        settings = replace(settings, names=names)
    workers, address = workers_of(arguments)
    if address is not None and arguments.budget is not None:
        raise ValueError("--budget is for the processes of one machine: leave out --ray")
    if arguments.accept_changed_bots and arguments.resume is None:
        raise ValueError("--accept-changed-bots can only be combined with --resume")
    with (
        kept_or_temporary(path, settings.kind) as folder,
        budget_of_run(arguments.budget, folder),
    ):
        report = run_arena(
            settings,
            workers=workers,
            folder=folder,
            address=address,
            accept_changed_bots=arguments.accept_changed_bots,
        )
        print_report(report)
        for name, file in files.items():
            FILES[name][1](file, report)
    return report.exit_status


def find_settings(arguments: argparse.Namespace, settings_class: type[Matches]) -> Matches:
    """The settings of the run to resume, or those that the arguments give."""
    if arguments.resume is not None:
        return RunFolder.read(arguments.resume, settings_class.kind, settings_class).settings
    config = TableOptions(**given_options(arguments, TableOptions)).config
    given = given_options(arguments, settings_class)
    return settings_class(tuple(arguments.bots), config, **given)


def given_names(texts: Sequence[str], bots: Sequence[str]) -> tuple[str, ...]:
    """The names of the bots, in their order, from texts such as ``policy:PATH=new``."""
    names = {}
    for text in texts:
        bot, _, name = text.rpartition("=")
        if full_spec(bot) not in bots or not name:
            raise ValueError(
                f"--name must be BOT=NAME with a bot of the arena, not {text!r}; its bots: "
                f"{' '.join(bots)}"
            )
        names[full_spec(bot)] = name
    return tuple(names.get(bot, "") for bot in bots) if names else ()
