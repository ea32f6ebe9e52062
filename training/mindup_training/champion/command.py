"""Make the networks of champion-2 from nothing: play games, fit networks, play with them."""

import argparse
import shlex
from pathlib import Path

from mindup_arena.run import MAX_WORKERS
from mindup_env.cli import advising
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require
from mindup_env.settings.options import add_options, given_options, to_words
from mindup_training.api import LIBRARIES
from mindup_training.champion.settings import ChampionSettings


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, ChampionSettings)
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that play (default 1)"
    )
    parser.add_argument(
        "--out", type=Path, help="folder of the champion (default: by its settings, in runs/)"
    )
    parser.epilog = (
        "The same command continues where it was interrupted. docs/champions.md has the recipe."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training.champion.recipe import make_champion  # noqa: PLC0415

    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    given = given_options(arguments, ChampionSettings)
    settings = ChampionSettings(**given)
    out = arguments.out or Path(f"runs/champion-{settings.players}p-seed{settings.seed}")
    words = ["mindup", "champion", *to_words(given), "--workers", str(arguments.workers)]
    again = shlex.join([*words, "--out", str(out)])
    with advising(lambda: f"to continue: {again}"):
        networks = make_champion(settings, out, workers=arguments.workers)
    print(f"networks: {networks}, to be played as the bot champion-2:networks={networks}")
    return 0
