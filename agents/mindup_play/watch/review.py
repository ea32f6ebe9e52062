"""Review a recorded game: mistakes by win probability, luck and skill.

Example: mindup watch review game.json
"""

import argparse
import json
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from mindup_agents.review import GameReview, review_game
from mindup_agents.review.game_review import WORLDS
from mindup_env import Game
from mindup_env.cards import card_of
from mindup_env.game.table import aligned
from mindup_env.runs.files import check_writable, write_text
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import add_names_option, games_of, player_names, replay_data, show_progress
from mindup_play.server import add_server_options, serve
from mindup_play.watch.tables import WATCHED_AT, RecordedGame

_MOST_SHOWN = 10


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the record of a game, as JSON")
    add("--json", type=Path, metavar="FILE", help="write the numbers, and open no page")
    add_names_option(parser)
    for name, default, about in (
        ("--worlds", WORLDS, "sampled games in which each choice is valued"),
        ("--seed", 0, "random seed of these games"),
        ("--top", _MOST_SHOWN, "mistakes in the text, the most expensive first"),
    ):
        about_it = f"{about} (default %(default)s)"
        add(name, type=int, metavar="N", default=default, help=about_it)
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    record = read_json(arguments.file)
    if arguments.json is not None:
        check_writable(arguments.json)
    with content_errors_name(arguments.file):
        games = games_of(record)
        players = range(games[0].config.num_players)
        numbers = [f"player {player}" for player in players]
        names = player_names(record, games[0], arguments.names) or numbers
        show = partial(show_progress, "reviewing the game")
        try:
            review = review_game(
                games, seed=arguments.seed, worlds=arguments.worlds, on_progress=show
            )
        finally:
            show(1.0)
    print(_mistakes(review, games, names, arguments.top), _deal(review, names), sep="\n\n")
    if arguments.json is not None:
        write_text(arguments.json, json.dumps(review.to_dict()) + "\n")
    else:
        command = f"mindup play --record {shlex.quote(str(arguments.file))}"
        page = RecordedGame(replay_data(record, arguments.names), review, command)
        serve(page, arguments, WATCHED_AT, "/review.html")
    return 0


def _mistakes(review: GameReview, games: Sequence[Game], names: Sequence[str], most: int) -> str:
    found, first = review.mistakes, len(games[0].plays)
    if not found:
        return "no choice was clearly worse than another"
    lines = [["mistakes", "win chance", "played", "instead of", "where"]]
    for choice in found[:most]:
        game = games[choice.turn - first]
        played, best = (str(card_of(card)) for card in (choice.played, choice.best))
        where = f"round {game.round}, turn {game.turn} (turn {choice.turn} of the game)"
        lines.append([names[choice.seat], f"{-choice.cost:+.1%}", played, best, where])
    more = [f"... and {len(found) - most} more"] if len(found) > most else []
    return "\n".join([aligned(lines), *more])


def _deal(review: GameReview, names: Sequence[str]) -> str:
    """What each seat was worth."""
    deal, equal = review.deal, 1 / review.num_players
    shares = ([name, f"{share:.1%}"] for name, share in zip(names, deal.win_shares, strict=True))
    return (
        f"{aligned([['deal', 'win chance'], *shares])}\n"
        f"with strong play of all seats from the same cards, {deal.num_games} games, to ± "
        f"{max(deal.margins):.1%}; an equal share is {equal:.1%}"
    )
