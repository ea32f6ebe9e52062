"""Write the decisions of bots to files: observations, cards, rewards and evaluations.

Group: train
Example: mindup dataset greedy planner --deals 200 --out DIR
"""

import argparse
from pathlib import Path

from mindup_arena.command import find_settings
from mindup_arena.schedule import SCHEDULE
from mindup_env.runs.options import (
    TableOptions,
    add_folder_options,
    add_workers,
    run_path,
    workers_of,
)
from mindup_env.settings.command_line import add_options
from mindup_training.dataset.make import make_dataset
from mindup_training.dataset.seats import total_rows
from mindup_training.dataset.settings import OPTIONS, DatasetSettings

NOTES = f"""The bots play as in mindup arena rank. {SCHEDULE} Rotations that would repeat a game are
left out: one bot alone plays each deal once. A bot that fails ends the command. The same settings
give the same files with any number of workers. README.md in the folder describes the columns."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add_options(parser, TableOptions)
    add_options(parser, DatasetSettings, names=OPTIONS)
    add_workers(parser, "processes that play")
    add_folder_options(parser, beside_resume=["workers"], required=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    workers, _ = workers_of(arguments)
    folder = run_path(arguments) or Path()  # one of them is required
    settings = find_settings(arguments, DatasetSettings)
    make_dataset(settings, folder, workers=workers)
    rows = total_rows(settings)
    print(f"dataset: {rows:,} decisions in {folder}; {folder / 'README.md'} describes them")
    return 0
