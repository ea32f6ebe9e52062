"""Review a recorded game: mistakes by win probability, luck and skill."""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from mindup_agents.review import WORLDS, GameReview, review_game
from mindup_env import Game
from mindup_env.cards import card_of
from mindup_env.files import check_writable, content_errors_name, read_json, write_text
from mindup_env.game.table import aligned
from mindup_play.records import games_of, replay_data
from mindup_play.server import add_server_options, serve
from mindup_play.watch.tables import WATCHED_AT, RecordedGame

_MOST_SHOWN = 10
"""Mistakes in the text, the most expensive first."""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the record of a game, as JSON")
    add("--json", type=Path, metavar="FILE", help="write the numbers, and open no page")
    worlds = "sampled games in which each choice is valued (default %(default)s)"
    add("--worlds", type=int, metavar="N", default=WORLDS, help=worlds)
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    record = read_json(arguments.file)
    if arguments.json is not None:
        check_writable(arguments.json)
    with content_errors_name(arguments.file):
        games, data = games_of(record), replay_data(record)
        show = partial(_show_progress, "reviewing the game")
        try:
            review = review_game(games, worlds=arguments.worlds, on_progress=show)
        finally:
            show(1.0)
    print(_mistakes(review, games, data["names"]), _deal(review, data["names"]), sep="\n\n")
    if arguments.json is not None:
        write_text(arguments.json, json.dumps(review.to_dict()) + "\n")
    else:
        serve(RecordedGame(data, review), arguments, WATCHED_AT, "/review.html")
    return 0


def _show_progress(text: str, part: float) -> None:
    """A line that is replaced, and removed at the end; silent if output is a file."""
    if sys.stderr.isatty():
        line = f"{text}: {part:4.0%}" if part < 1 else ""
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _mistakes(review: GameReview, games: Sequence[Game], names: Sequence[str]) -> str:
    found = review.mistakes
    if not found:
        return "no choice was clearly worse than another"
    lines = [["mistakes", "win chance", "played", "instead of", "where"]]
    for choice in found[:_MOST_SHOWN]:
        game = games[choice.turn]
        played, best = (str(card_of(card)) for card in (choice.played, choice.best))
        where = f"round {game.round}, turn {game.turn} (turn {choice.turn} of the game)"
        lines.append([names[choice.seat], f"{-choice.cost:+.1%}", played, best, where])
    more = [f"... and {len(found) - _MOST_SHOWN} more"] if len(found) > _MOST_SHOWN else []
    return "\n".join([aligned(lines), *more])


def _deal(review: GameReview, names: Sequence[str]) -> str:
    """What each seat was worth."""
    equal = 1 / review.num_players
    shares = ([name, f"{share:.1%}"] for name, share in zip(names, review.deal, strict=True))
    return (
        f"{aligned([['deal', 'win chance'], *shares])}\n"
        f"as each seat could estimate it at the start; an equal share is {equal:.1%}"
    )
