"""The options by which a command names the folder of its run: ``--out`` and ``--resume``."""

import argparse
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from mindup_env.cards import Deck
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.command_line import flag


def add_folder_options(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds ``--out DIR`` and ``--resume DIR``, of which only one can be given."""
    folder = parser.add_mutually_exclusive_group(required=required)
    folder.add_argument("--out", type=Path, metavar="DIR", help="a new folder for the run")
    folder.add_argument(
        "--resume", type=Path, metavar="DIR", help="resume the run in a folder, with its settings"
    )


def run_path(arguments: argparse.Namespace) -> Path | None:
    """The folder of the run, if it is given; refuses ``--out`` for one that is in use."""
    if arguments.out is not None:
        check_unused(arguments.out)
    path: Path | None = arguments.resume or arguments.out
    return path


def check_same(folder: Path, begun: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuses settings beside ``--resume`` that are not those with which the run began."""
    for name, value in given.items():
        if value not in ((), begun[name]):
            what = name if name.startswith("bot") else flag(name)
            raise ValueError(
                f"the run in {folder} has {what} {_difference(begun[name], value)}: leave out the "
                "settings to resume it, or use --out for another run"
            )


def _difference(had: Any, value: Any) -> str:
    """What differs, as text: of two decks, the first card."""
    if isinstance(had, Deck):
        pairs = zip_longest(had, value)
        had, value = next((one, other) for one, other in pairs if one != other)
    elif isinstance(had, tuple):
        had, value = " ".join(had), " ".join(value)
    return f"{had}, not {value}"
