"""Watch bots play, step through a recorded game, or review its choices, in the browser."""

import secrets
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import tyro

from mindup_agents.policy import full_spec, game_of_policy
from mindup_agents.review import WORLDS, review_game
from mindup_env.checks import InputError, check_int
from mindup_env.config import game_of
from mindup_env.files import check_writable, content_errors_name, read_json, write_text
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.records import games_of, seats_of
from mindup_play.server import Number, ServerOptions, serve
from mindup_play.settings import MAX_SEED
from mindup_play.watched import WatchedGame

_ANNOUNCED = "Watch at {address} (Ctrl-C ends)"
ServedAt = tyro.conf.OmitArgPrefixes[ServerOptions]
File = tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]


def main(words: Sequence[str]) -> int:
    """Runs ``mindup watch bots``, ``mindup watch replay`` or ``mindup watch review``."""
    views: dict[str, Callable[..., Any]] = {"bots": bots, "replay": replay, "review": review}
    tyro.extras.subcommand_cli_from_dict(
        views, prog="mindup watch", description=__doc__, args=words
    )
    return 0


def bots(
    bots: tyro.conf.Positional[
        Annotated[tuple[str, ...], tyro.conf.arg(metavar="BOT...", help_behavior_hint="")]
    ],
    server: ServedAt,
    players: Number = None,
    objectives: Number = None,
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME", help_behavior_hint="")] = None,
    seed: Number = None,
) -> None:
    """Watch bots play.

    Args:
        bots: bots of the seats, or folders of training runs; a short list is repeated
        server: Where the page is served.
        players: number of players (default: that of a policy, else that of the bots, 4 or more)
        objectives: number of objectives shown together
        game: a small game instead, such as 2p-2t
        seed: random seed of the deal (default: a random one)
    """
    if not bots:
        raise InputError("a bot is missing: mindup watch bots BOT...")
    specs = [*map(full_spec, bots)]
    learned = [*filter(None, map(game_of_policy, specs))]
    if learned and players is None and objectives is None and game is None:
        config = learned[0]
    else:
        usual = 4 if game else max(len(specs), 4)
        config = game_of(usual if players is None else players, objectives or 0, game)
    players = config.num_players
    if len(specs) > players:
        raise InputError(f"{players} players cannot be {len(specs)} bots: name at most {players}")
    specs = [*islice(cycle(specs), players)]
    if seed is None:
        seed = secrets.randbits(32)
    check_int("seed", seed, 0, MAX_SEED)
    watched = WatchedGame(specs, config, seed)
    print(f"Seed {seed}")
    serve(watched, server, _ANNOUNCED)


def replay(file: File, server: ServedAt) -> None:
    """Step through a recorded game.

    Args:
        file: the record of a game, as JSON
        server: Where the page is served.
    """
    game = _shown_game(file)._replace(reviewed=False)
    serve(ShownGames(lambda _: game), server, _ANNOUNCED)


def review(
    file: File,
    server: ServedAt,
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
    worlds: int = WORLDS,
) -> None:
    """Review a recorded game: mistakes by win probability, luck and skill.

    Args:
        file: the record of a game, as JSON
        server: Where the page is served.
        json: write the numbers, and open no page
        worlds: sampled games in which each choice is valued
    """
    game = _shown_game(file)
    if json is None:
        serve(ShownGames(lambda _: game, worlds), server, _ANNOUNCED)
    else:
        check_writable(json)
        write_text(json, dumps(review_game(game.games, worlds=worlds).to_dict()) + "\n")
        print(f"review: {json}")


def _shown_game(file: Path) -> ShownGame:
    record = read_json(file)
    with content_errors_name(file):
        games = games_of(record)
        return ShownGame(games, seats_of(record, games[0].config.num_players))
