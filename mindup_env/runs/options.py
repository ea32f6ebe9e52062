"""Options that commands share: ``--out`` and ``--resume`` of a run, and those of its game."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from mindup_env.cards import OFFICIAL_DECK
from mindup_env.config import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    OPTION_FIELDS,
    SCORE_CARDS,
    GameConfig,
    ScoreOrder,
)
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import flag
from mindup_env.settings.declaration import option, settings

MAX_WORKERS = 1024  # more than machines have cores
_MOST_DEALT = len(OFFICIAL_DECK) // MIN_PLAYERS  # cards to a player; each round deals at least one


def add_folder_options(
    parser: argparse.ArgumentParser,
    out: str = "a new folder for the run",
    *,
    beside_resume: Sequence[str],
) -> None:
    """Adds ``--out DIR`` and ``--resume DIR``, of which only one can be given.

    Args:
        parser: The parser of the command.
        out: What ``--out`` names.
        beside_resume: The names of what can be combined with ``--resume``.
    """
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument("--out", type=Path, metavar="DIR", help=out)
    folder.add_argument(
        "--resume", type=Path, metavar="DIR", help="resume the run in a folder, with its settings"
    )
    parser.set_defaults(beside_resume=beside_resume)


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Adds ``--workers``."""
    parser.add_argument("--workers", type=int, metavar="N", help="processes that play (default 1)")


def workers_of(arguments: argparse.Namespace) -> int:
    """The number of processes."""
    given = arguments.workers
    return 1 if given is None else check_int("--workers", given, 1, MAX_WORKERS)


def run_path(arguments: argparse.Namespace) -> Path | None:
    """The folder of the run, if it is given.

    Raises:
        ValueError: if ``--out`` names a folder that is in use, or if settings are given beside
            ``--resume``.
    """
    if arguments.out is not None:
        check_unused(arguments.out)
    if arguments.resume is None:
        return cast("Path | None", arguments.out)
    accepted = arguments.beside_resume
    if wrong := [
        word for name, word in arguments.given.items() if name not in (*accepted, "resume")
    ]:
        only = f"can only be combined with {', '.join(map(flag, accepted))}, not"
        raise ValueError(
            f"--resume {only if accepted else 'cannot be combined with'} {' '.join(wrong)}: a run "
            "keeps the settings that it began with"
        )
    return cast("Path", arguments.resume)


@settings
class TableOptions:
    """The options of a command that make up the game's config."""

    players: int = option(
        "players at each table",
        default=GameConfig.num_players,
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
    )
    objectives: int = option(
        "objectives shown together",
        default=GameConfig.num_objectives,
        low=0,
        high=MAX_OBJECTIVES,
    )
    rounds: int = option(
        "rounds of each game",
        default=GameConfig.num_rounds,
        low=1,
        high=_MOST_DEALT,
        rare=True,
    )
    hand_size: int = option(
        "cards in a hand of the first round",
        default=GameConfig.hand_size,
        low=2,
        high=_MOST_DEALT,
        rare=True,
    )
    cards: int = option(
        "cards in the deck, the first ones of the published game",
        default=GameConfig.num_cards,
        low=1,
        high=len(OFFICIAL_DECK),
        rare=True,
    )
    score_order: ScoreOrder | None = option(
        "score cards above the columns, the same in every round, such as 2 4 1 5 3 (default: drawn "
        "for each round)",
        default=None,
        low=min(SCORE_CARDS),
        high=max(SCORE_CARDS),
        rare=True,
    )

    @property
    def config(self) -> GameConfig:
        numbers = {field: getattr(self, name) for name, field in OPTION_FIELDS.items()}
        return GameConfig(**numbers, score_order=self.score_order)
