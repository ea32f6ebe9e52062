"""Step through a recorded game, turn by turn, at the terminal or as a page."""

import argparse
from pathlib import Path
from typing import Any

from mindup_env import Game
from mindup_env.files import write_text
from mindup_env.game.record import CARD_EVALUATIONS
from mindup_play.game_log import tell_turn
from mindup_play.records import games_of, read_json
from mindup_play.replay_page import replay_page

_NO_WEIGHINGS = "what the bots made of their cards is not in the record, and so not on the page"
_STEPS = {"": 1, "b": -1, "q": None}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a record of a game, as JSON")
    parser.add_argument(
        "--turn", type=int, help="begin with this turn, counted over the game; 0 is the deal"
    )
    parser.add_argument("--all", action="store_true", help="print all without asking")
    parser.add_argument(
        "--html", type=Path, metavar="PAGE", help="write a page that needs no network instead"
    )
    parser.add_argument(
        "--names", type=lambda text: text.split(","), help="of the players of the page: A,B,..."
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.html is None and arguments.names is not None:
        raise ValueError("--names are for the page: add --html PAGE")
    if arguments.html is not None and (arguments.all or arguments.turn is not None):
        raise ValueError("a page shows all turns: --turn and --all are for the terminal")
    record = read_json(arguments.file)
    if arguments.html is not None:
        _write_page(record, arguments.html, arguments.names)
        return 0
    games = games_of(record)
    place = _place(games, arguments.turn)
    if arguments.all:
        print(*(_page(games, shown) for shown in range(place, len(games))), sep="\n\n")
    else:
        _step_through(games, place)
    return 0


def _write_page(record: Any, path: Path, names: list[str] | None) -> None:
    page = replay_page(record, names)
    try:
        write_text(path, page)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None
    print(f"{path} shows the game" + ("" if CARD_EVALUATIONS in record else f"; {_NO_WEIGHINGS}"))


def _place(games: list[Game], turn: int | None) -> int:
    """Where in ``games`` the telling begins."""
    first = len(games[0].plays)  # above 0 where the record begins midway
    last = first + len(games) - 1
    if turn is None:
        return 0
    if not first <= turn <= last:
        raise ValueError(f"--turn must be {first} to {last} in this record, not {turn}")
    return turn - first


def _page(games: list[Game], place: int) -> str:
    if place == 0:
        return str(games[0])
    return tell_turn(games[place - 1], games[place])


def _step_through(games: list[Game], place: int) -> None:
    while place < len(games):
        print(_page(games, place))
        onward = "next turn" if place + 1 < len(games) else "leave"
        step = _ask_step(f"\nEnter: {onward}, b: back, q: leave > ")
        if step is None:
            return
        place = max(place + step, 0)


def _ask_step(question: str) -> int | None:
    """How many turns to go on; None to leave."""
    while True:
        try:
            answer = input(question).strip().lower()
        except EOFError:
            print()  # the question stands there without an end of its line
            return None
        if answer in _STEPS:
            return _STEPS[answer]
        print(f"{answer!r} is none of these")
