"""Write the decisions of bots to files: observations, cards, rewards and evaluations."""

import argparse
import secrets
from pathlib import Path

from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import TO_DRAW
from mindup_env.runs.options import TableOptions, add_folder_options, check_same, run_path
from mindup_env.runs.processes import MAX_WORKERS
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_training.dataset.make import make_dataset
from mindup_training.dataset.seats import total_rows
from mindup_training.dataset.settings import OPTIONS, DatasetSettings, read_settings

NOTES = f"""The bots play as in mindup arena. {SCHEDULE} Rotations that would repeat a game are left
out: one bot alone plays each deal once. A bot that fails ends the command. The same settings give
the same files with any number of workers. README.md in the folder describes the columns."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add_options(parser, TableOptions)
    add_options(parser, DatasetSettings, names=OPTIONS)
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    add_folder_options(parser, required=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    workers = check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    given = given_options(arguments, DatasetSettings)
    table = given_options(arguments, TableOptions)
    folder = run_path(arguments) or Path()  # one of them is required
    if arguments.resume is not None:
        settings = read_settings(folder)
        had = {**vars(TableOptions.of(settings.config)), **vars(settings)}
        check_same(folder, had, {"bots": tuple(arguments.bots), **table, **given})
    else:
        if given.get("agent_seed") == TO_DRAW:
            given["agent_seed"] = secrets.randbits(64)
        settings = DatasetSettings(tuple(arguments.bots), TableOptions(**table).config, **given)
    make_dataset(settings, folder, workers=workers)
    rows = total_rows(settings)
    print(f"dataset: {rows:,} decisions in {folder}; {folder / 'README.md'} describes them")
    return 0
