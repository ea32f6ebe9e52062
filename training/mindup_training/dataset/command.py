"""Write the decisions of bots to files: observations, cards, rewards and evaluations."""

import argparse
import secrets
import shlex
from pathlib import Path
from typing import Any

from mindup_arena.run import MAX_WORKERS
from mindup_arena.schedule import SCHEDULE, chunks
from mindup_arena.settings import TO_DRAW
from mindup_env.cli import advising
from mindup_env.runs.folder_options import check_same
from mindup_env.runs.table_options import TableOptions
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.extras import require
from mindup_training.dataset.folder import DatasetFolder
from mindup_training.dataset.make import make_dataset
from mindup_training.dataset.seats import num_rows
from mindup_training.dataset.settings import OPTIONS, DatasetSettings

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
    folder = parser.add_mutually_exclusive_group(required=True)
    folder.add_argument("--out", type=Path, metavar="DIR", help="the folder of a new dataset")
    folder.add_argument("--resume", type=Path, metavar="DIR", help="resume the dataset in a folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("a dataset", "arena", "rich")
    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    settings = find_settings(arguments)
    folder = arguments.resume or arguments.out
    if arguments.out is not None and DatasetFolder(folder).read_settings() is not None:
        raise ValueError(f"{folder} has a dataset already: resume it with --resume")
    resume = shlex.join(["mindup", "dataset", "--resume", str(folder)])
    with advising(lambda: f"to resume: {resume}" if folder.exists() else "start it again"):
        make_dataset(settings, folder, workers=arguments.workers)
    rows = sum(num_rows(settings, chunk) for chunk in chunks(settings))
    print(f"dataset: {rows:,} decisions in {folder}; {folder / 'README.md'} describes them")
    return 0


def find_settings(arguments: argparse.Namespace) -> DatasetSettings:
    """The settings of the dataset to resume, or those that the arguments give."""
    given: dict[str, Any] = given_options(arguments, DatasetSettings)
    table = given_options(arguments, TableOptions)
    if arguments.resume is not None:
        begun = DatasetFolder(arguments.resume).read_settings()
        if begun is not None:
            had = {**vars(TableOptions.of(begun.config)), **vars(begun)}
            given = {"bots": tuple(arguments.bots), **table, **given}
            check_same(arguments.resume, had, given)
            return begun
        if not arguments.bots:
            raise ValueError(f"no dataset to resume in {arguments.resume}")
        # It was interrupted before it had begun.
    if given.get("agent_seed") == TO_DRAW:
        given["agent_seed"] = secrets.randbits(64)
    settings = DatasetSettings(tuple(arguments.bots), TableOptions(**table).config, **given)
    return settings.with_format()
