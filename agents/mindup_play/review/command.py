"""Review a recorded game: mistakes by win probability, luck and skill; as text or a web page."""

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindup_agents.review import Choice, GameReview, review_game
from mindup_agents.review.game_review import WORLDS
from mindup_env import Game
from mindup_env.game.table import aligned
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import checked_names, games_of, names_of, replay_page, write_output

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
        write_output(arguments.json, json.dumps(review.to_dict()) + "\n")
    if arguments.html is not None:
        page = replay_page(record, arguments.names, page_data(review, arguments.file))
        write_output(arguments.html, page)
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


def review_text(review: GameReview, games: Sequence[Game], names: Sequence[str], most: int) -> str:
    """The most expensive mistakes, then what came from the deal and what from choices."""
    return "\n\n".join([_mistakes(review, games, names, most), _luck(review, names)])


def _mistakes(review: GameReview, games: Sequence[Game], names: Sequence[str], most: int) -> str:
    found = review.mistakes
    if not found:
        return "no choice was clearly worse than another"
    lines = [["mistakes", "win chance", "played", "instead of", "where"]]
    first = len(games[0].plays)
    lines += [_mistake(choice, games[choice.turn - first], names) for choice in found[:most]]
    more = [f"... and {len(found) - most} more"] if len(found) > most else []
    return "\n".join([aligned(lines), *more])


def _mistake(choice: Choice, game: Game, names: Sequence[str]) -> list[str]:
    deck = game.config.deck
    return [
        names[choice.seat],
        f"{-choice.cost:+.1%}",
        str(deck[choice.played]),
        str(deck[choice.best]),
        f"round {game.round}, turn {game.turn} (turn {choice.turn} of the game)",
    ]


def _luck(review: GameReview, names: Sequence[str]) -> str:
    equal = 1 / review.num_players
    lines = [["luck and skill", "deal", "own choices", "the rest", "result"]]
    for seat, (name, cost) in enumerate(zip(names, review.costs, strict=True)):
        deal = float(review.deal.win_shares[seat])
        share = None if review.win_shares is None else review.win_shares[seat]
        rest = "" if share is None else f"{share - deal + cost:+.1%}"
        result = "" if share is None else f"{share:.1%}"
        lines.append([name, f"{deal - equal:+.1%}", f"{-cost:+.1%}", rest, result])
    return (
        f"{aligned(lines)}\n"
        f"an equal share is {equal:.1%}; deal: strong play of all seats from the same cards, "
        f"{review.deal.num_games} games,\nto ± {max(review.deal.margins):.1%}; the rest: what the "
        "others played, and chance"
    )


@contextmanager
def shown_progress(what: str) -> Iterator[Callable[[float], None]]:
    """A function to call with the part that is done, from 0 to 1; silent if output is a file."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(part: float) -> None:
        print(f"\r{what}: {part:4.0%}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
