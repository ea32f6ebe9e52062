"""Watch bots play, step through a recorded game, or review its choices, in the browser."""

import json
import secrets
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Any

import tyro

from mindup_agents.labels import numbered
from mindup_agents.review import WORLDS, review_game
from mindup_env.agent import full_spec, split_specs
from mindup_env.files import check_writable, content_errors_name, read_json, write_text
from mindup_play.records import games_of, record_of, replay_data
from mindup_play.server import ServerOptions, serve
from mindup_play.settings import PlaySettings, short_name
from mindup_play.watch.report import review_text
from mindup_play.watch.tables import BotsGames, RecordedGame, WatchedGame

_ANNOUNCED = "Watch at {address} (Ctrl-C ends)"
Served = tyro.conf.OmitArgPrefixes[ServerOptions]
Number = Annotated[int | None, tyro.conf.arg(metavar="N")]
File = tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]


def main(words: Sequence[str]) -> int:
    """Runs ``mindup watch bots``, ``mindup watch replay`` or ``mindup watch review``."""
    views: dict[str, Callable[..., Any]] = {"bots": bots, "replay": replay, "review": review}
    tyro.extras.subcommand_cli_from_dict(
        views, prog="mindup watch", description=__doc__, args=words
    )
    return 0


def bots(
    bots: tyro.conf.Positional[Annotated[tuple[str, ...], tyro.conf.arg(metavar="BOT...")]],
    server: Served,
    players: Number = None,
    objectives: int = 0,
    seed: Number = None,
) -> None:
    """Watch bots play.

    Args:
        bots: bots of the seats, or folders of training runs; a short list is repeated
        server: where the page is served
        players: number of players (default: as many as bots, at least 4)
        objectives: number of objectives shown together
        seed: random seed of the deal (default: a random one)
    """
    given = split_specs(",".join(bots))
    players = max(len(given), 4) if players is None else players
    seed = secrets.randbits(32) if seed is None else seed
    settings = PlaySettings(seed, players, objectives)
    specs = seated_specs(given, players)
    games = BotsGames(partial(WatchedGame, specs, seat_names(specs), settings.config), seed)
    print(f"Seed {seed}")
    serve(games, server, _ANNOUNCED, "/watch.html")


def replay(file: File, server: Served) -> None:
    """Step through a recorded game.

    Args:
        file: the record of a game, as JSON
        server: where the page is served
    """
    record = record_of(read_json(file))
    with content_errors_name(file):
        data = replay_data(record)
    serve(RecordedGame(data), server, _ANNOUNCED, "/review.html")


def review(
    file: File,
    server: Served,
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    worlds: int = WORLDS,
) -> None:
    """Review a recorded game: mistakes by win probability, luck and skill.

    Args:
        file: the record of a game, as JSON
        server: where the page is served
        json: write the numbers, and open no page
        worlds: sampled games in which each choice is valued
    """
    record = record_of(read_json(file))
    if json is not None:
        check_writable(json)
    with content_errors_name(file):
        games, data = games_of(record), replay_data(record)
        try:
            found = review_game(games, worlds=worlds, on_progress=_show_progress)
        finally:
            _show_progress(1.0)
    print(review_text(found, games, data["names"]))
    if json is not None:
        write_text(json, _as_json(found.to_dict()))
    else:
        serve(RecordedGame(data, found), server, _ANNOUNCED, "/review.html")


def _as_json(plain: Any) -> str:
    return json.dumps(plain) + "\n"


def _show_progress(part: float) -> None:
    """A line that is replaced, and removed at the end; silent if output is a file."""
    if sys.stderr.isatty():
        line = f"reviewing the game: {part:4.0%}" if part < 1 else ""
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


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
