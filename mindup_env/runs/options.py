"""Options that commands share: ``--out`` and ``--resume`` of a run, and those of its game."""

import argparse
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, Self

from mindup_env.cards import MAX_CARDS, OFFICIAL_DECK, Deck
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, OPTION_FIELDS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.runs.processes import LOCAL, MAX_WORKERS
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import flag
from mindup_env.settings.declaration import option, settings

_MOST_DEALT = MAX_CARDS // MIN_PLAYERS  # cards to a player; each round deals at least one


def add_folder_options(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds ``--out DIR`` and ``--resume DIR``, of which only one can be given."""
    folder = parser.add_mutually_exclusive_group(required=required)
    folder.add_argument("--out", type=Path, metavar="DIR", help="a new folder for the run")
    folder.add_argument(
        "--resume", type=Path, metavar="DIR", help="resume the run in a folder, with its settings"
    )


def add_workers(
    parser: argparse.ArgumentParser, what: str, *, default: str = "1", on_cluster: str = ""
) -> None:
    """Adds ``--workers``; and ``--ray`` if there is a word for what is done on a cluster."""
    parser.add_argument("--workers", type=int, metavar="N", help=f"{what} (default {default})")
    if on_cluster:
        parser.add_argument(
            "--ray",
            nargs="?",
            const=LOCAL,
            metavar="ADDRESS",
            help=f"{on_cluster} on all cores of a Ray cluster instead: auto for the cluster of "
            "this machine, or ray://HOST:10001; without an address, Ray is started on this machine",
        )


def workers_of(arguments: argparse.Namespace, default: int = 1) -> tuple[int, str | None]:
    """The number of workers, and the address of the Ray cluster that is used instead, if any."""
    address = getattr(arguments, "ray", None)
    if arguments.workers is None:
        return default, address
    if address is not None:
        raise ValueError("--ray uses all cores of the cluster: leave out --workers")
    return check_int("--workers", arguments.workers, 1, MAX_WORKERS), None


def run_path(arguments: argparse.Namespace) -> Path | None:
    """The folder of the run, if it is given; refuses ``--out`` for one that is in use."""
    if arguments.out is not None:
        check_unused(arguments.out)
    path: Path | None = arguments.resume or arguments.out
    return path


def check_same(folder: Path, begun: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuses settings beside ``--resume`` that are not those with which the run began."""
    for name, value in given.items():
        had, has = begun[name], value
        if has in ((), had):
            continue
        if isinstance(had, Deck):  # the first cards that differ
            had, has = next(pair for pair in zip_longest(had, has) if pair[0] != pair[1])
        elif isinstance(had, tuple):
            had, has = " ".join(had), " ".join(has)
        what = name if name.startswith("bot") else flag(name)
        raise ValueError(
            f"the run in {folder} has {what} {had}, not {has}: leave out the settings to resume "
            "it, or use --out for another run"
        )


def read_deck(path: str) -> Deck:
    """Reads a deck from the file that a command line names."""
    try:
        return Deck.from_csv(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@settings
class TableOptions:
    """The options of a command that make up the game's config."""

    players: int = option(
        "players at each table",
        default=GameConfig.num_players,
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
        metavar="P",
    )
    objectives: int = option(
        "objectives shown together",
        default=GameConfig.num_objectives,
        low=0,
        high=MAX_OBJECTIVES,
        metavar="N",
    )
    rounds: int = option(
        "rounds of each game", default=GameConfig.num_rounds, low=1, high=_MOST_DEALT, metavar="N"
    )
    hand_size: int = option(
        "cards in a hand of the first round",
        default=GameConfig.hand_size,
        low=2,
        high=_MOST_DEALT,
        metavar="N",
    )
    deck: Deck = option(
        "CSV file of the number cards, with the columns number, colour, points",
        default=OFFICIAL_DECK,
        metavar="FILE",
        reader=read_deck,
    )

    @property
    def config(self) -> GameConfig:
        numbers = {field: getattr(self, name) for name, field in OPTION_FIELDS.items()}
        return GameConfig(**numbers, deck=self.deck)

    @classmethod
    def of(cls, config: GameConfig) -> Self:
        """The options that make up a config."""
        numbers = {name: getattr(config, field) for name, field in OPTION_FIELDS.items()}
        return cls(**numbers, deck=config.deck)
