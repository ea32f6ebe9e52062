"""Watch bots play, in the browser."""

import argparse
import secrets
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice

from mindup_agents.labels import numbered
from mindup_env.agent import full_spec, split_specs
from mindup_env.settings.command_line import add_options, given_options
from mindup_play.server import add_server_options, serve
from mindup_play.settings import PlaySettings, short_name
from mindup_play.watch.tables import WATCHED_AT, BotsGames, WatchedGame


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "bots",
        nargs="+",
        metavar="BOT",
        help="bots of the seats; a short list is repeated, and the folder of a training run stands "
        "for its latest policy",
    )
    add(
        "--players",
        type=int,
        metavar="N",
        default=argparse.SUPPRESS,
        help="number of players (default: as many as bots, at least 4)",
    )
    add_options(parser, PlaySettings, names=("objectives", "seed"))
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    serve(_games(arguments), arguments, WATCHED_AT, "/watch.html")
    return 0


def _games(arguments: argparse.Namespace) -> BotsGames:
    given = split_specs(",".join(arguments.bots))
    usual = {"players": max(len(given), 4), "seed": secrets.randbits(32)}
    settings = PlaySettings(**{**usual, **given_options(arguments, PlaySettings)})
    specs = seated_specs(given, settings.players)
    make = partial(WatchedGame, specs, seat_names(specs), settings.config)
    print(f"Seed {settings.seed}")
    return BotsGames(make, settings.seed)


def seated_specs(given: Sequence[str], players: int) -> list[str]:
    """The bot of each seat. A short list is repeated.

    The folder of a training run stands for its latest policy.
    """
    if len(given) > players:
        raise ValueError(f"{players} players cannot be {len(given)} bots: add --players")
    return list(islice(cycle(map(full_spec, given)), players))


def seat_names(specs: Sequence[str]) -> list[str]:
    """Short names; equal ones are numbered."""
    return numbered([short_name(spec) for spec in specs])
