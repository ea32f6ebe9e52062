"""Make the networks of champion-2 from nothing: play games, fit networks, play with them."""

import argparse
from pathlib import Path

from mindup_env.runs.processes import MAX_WORKERS
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.champion.settings import CHAMPION, ChampionSettings


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, ChampionSettings)
    add = parser.add_argument
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the champion (default: in runs/)"
    )
    folder.add_argument(
        "--resume", type=Path, metavar="DIR", help="resume the champion in a folder"
    )
    parser.epilog = (
        "The same command continues where it was interrupted, too. docs/champions.md has the "
        "recipe."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training.champion.recipe import make_champion  # noqa: PLC0415

    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    given = given_options(arguments, ChampionSettings)
    if arguments.resume:
        if given:
            raise ValueError(
                "--resume can only be combined with --workers: a champion keeps the settings that "
                "it began with"
            )
        settings = RunFolder.read(arguments.resume, CHAMPION, ChampionSettings).settings
    else:
        settings = ChampionSettings(**given)
    name = f"champion-{settings.players}p-seed{settings.seed}"
    out = arguments.resume or arguments.out or Path("runs") / name
    networks = make_champion(settings, out, workers=arguments.workers)
    print(f"networks: {networks}, to be played as the bot champion-2:networks={networks}")
    return 0
