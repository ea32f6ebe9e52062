"""Review a recorded game: mistakes by win probability, luck and skill; as text or a web page."""

import argparse
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_agents.review import GameReview, review_game
from mindup_agents.review.game_review import WORLDS
from mindup_env import Game
from mindup_env.runs.files import write_text
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import checked_names, games_of, names_of
from mindup_play.replay_page import replay_page
from mindup_play.review.progress import shown_progress
from mindup_play.review.text import review_text

_MOST_SHOWN = 10


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, help="the record of a game, as JSON")
    add("--html", type=Path, metavar="PAGE", help="write a web page that needs no network")
    add("--json", type=Path, metavar="FILE", help="write the numbers of the review")
    add(
        "--names",
        type=lambda text: text.split(","),
        metavar="NAME,NAME",
        help="names of the players, in seat order (default: those of the record)",
    )
    add(
        "--worlds",
        type=int,
        default=WORLDS,
        help="sampled games in which each choice is valued (default %(default)s)",
    )
    add("--seed", type=int, default=0, help="random seed of these games (default %(default)s)")
    add(
        "--top",
        type=int,
        default=_MOST_SHOWN,
        help="mistakes in the text, the most expensive first (default %(default)s)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    record = read_json(arguments.file)
    with content_errors_name(arguments.file):
        games = games_of(record)
        names = _names(record, games[0], arguments.names)
    with content_errors_name(arguments.file), shown_progress("reviewing the game") as on_progress:
        review = review_game(
            games, seed=arguments.seed, worlds=arguments.worlds, on_progress=on_progress
        )
    print(review_text(review, games, names, arguments.top))
    if arguments.json is not None:
        _write(arguments.json, json.dumps(review.to_dict()) + "\n")
    if arguments.html is not None:
        page = replay_page(record, arguments.names, page_data(review, arguments.file))
        _write(arguments.html, page)
        print(f"\n{arguments.html} shows the review")
    return 0


def page_data(review: GameReview, file: Path) -> dict[str, Any]:
    """What the page of a review has beside that of the game."""
    command = f"mindup play --record {shlex.quote(str(file))}"
    return {"review": review.to_dict(), "again": {"command": command, "seat": 0}}


def _names(record: Mapping[str, Any], game: Game, given: Sequence[str] | None) -> list[str]:
    if given is not None:
        return checked_names(given, game)
    players = range(game.config.num_players)
    return names_of(record, game) or [f"player {player}" for player in players]


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None
