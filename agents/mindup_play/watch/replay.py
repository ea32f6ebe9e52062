"""Step through a recorded game, in the browser, at the terminal or as a page in a file.

Example: mindup watch replay game.json
"""

import argparse
import sys
from pathlib import Path

from mindup_env import Game
from mindup_env.game.record import CARD_EVALUATIONS
from mindup_env.game.table import aligned, columns_text, objectives_text
from mindup_env.runs.files import check_writable, write_text
from mindup_env.settings.checks import check_int
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import add_names_option, games_of, replay_page
from mindup_play.server import add_server_options, serve
from mindup_play.watch.tables import WATCHED_AT, WatchedGame

_STEPS = {"": 1, "b": -1, "q": sys.maxsize}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record of a game, as JSON")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--terminal", action="store_true", help="step through it at the terminal")
    where.add_argument(
        "--html", type=Path, metavar="FILE", help="write a web page that needs no network"
    )
    parser.add_argument(
        "--turn",
        type=int,
        metavar="N",
        help="first turn at the terminal, counted over the game; 0 is the deal",
    )
    parser.add_argument(
        "--all", action="store_true", help="print all turns at the terminal, without asking"
    )
    add_names_option(parser, "names of the players on the page, in seat order")
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.terminal and arguments.names is not None:
        raise ValueError("--names cannot be combined with --terminal")
    if not arguments.terminal and (arguments.all or arguments.turn is not None):
        raise ValueError("--turn and --all can only be combined with --terminal")
    if arguments.html is not None:
        check_writable(arguments.html)
    record, names = read_json(arguments.file), arguments.names
    with content_errors_name(arguments.file):
        if arguments.html is not None:
            page = replay_page(record, names)
        elif arguments.terminal:
            games = games_of(record)
        else:
            game = WatchedGame.of_record(record, names)
    if arguments.html is not None:
        write_text(arguments.html, page)
        without = ", without card evaluations: the record has none"
        print(f"{arguments.html} shows the game{'' if CARD_EVALUATIONS in record else without}")
    elif arguments.terminal:
        show_at_the_terminal(games, arguments.turn, step=not arguments.all)
    else:
        serve(game, arguments, WATCHED_AT, "/watch.html")
    return 0


def show_at_the_terminal(games: list[Game], turn: int | None, *, step: bool) -> None:
    """Prints the turns, or shows one after each answer."""
    played = len(games[0].plays)  # above 0 if the record begins in the middle of a game
    turn = played if turn is None else turn
    first = check_int("--turn for this record", turn, played, played + len(games) - 1) - played
    if step:
        _step_through(games, first)
    else:
        print(*(_text(games, index) for index in range(first, len(games))), sep="\n\n")


def _text(games: list[Game], index: int) -> str:
    """The deal, or the plays of a turn and the table after it, with all hands."""
    after = games[index]
    return f"{_plays(games[index - 1], after)}\n\n{after}" if index else str(after)


def _step_through(games: list[Game], index: int) -> None:
    """Shows a turn after each answer, until the last one or the end of the input."""
    while index < len(games):
        print(_text(games, index))
        forward = "next turn" if index + 1 < len(games) else "quit"
        question = f"\nEnter: {forward}, b: back, q: quit > "
        try:
            while (answer := input(question).strip().lower()) not in _STEPS:
                print(f"unknown answer {answer!r}; accepted: Enter, b, q")
        except EOFError:
            print()  # the question ends without a newline
            return
        index = max(index + _STEPS[answer], 0)


def _plays(before: Game, after: Game) -> str:
    """Cards and prizes of a turn, and the scores if it ended a round; all of it is public."""
    deck, cards = before.config.deck, after.plays[-1]
    names = [f"player {player}" for player in range(len(cards))]
    prizes = dict(zip(sorted(cards), before.row, strict=True))  # the lowest card takes the lowest
    plays = [
        [name, f"plays {deck[card]}", f"takes {deck[prizes[card]]}"]
        for name, card in zip(names, cards, strict=True)
    ]
    scores = []
    if len(after.round_scores) > len(before.round_scores):
        for player, play in enumerate(plays):
            (last,) = {*before.hand(player)} - {cards[player]}
            play.append(f"lays down {deck[last]}")
        scores.append(_scores(before, after, names))
        scores.append(objectives_text(after.round_objectives[-1].items(), names))
    turn = f"turn {len(after.plays)} of {after.config.num_turns}"
    title = f"{turn}: round {before.round}, turn {before.turn}"
    return "\n\n".join(filter(None, [f"{title}\n{aligned(plays)}", *scores]))


def _scores(before: Game, after: Game, names: list[str]) -> str:
    """The scored tableaux, and the points by their parts."""
    values = (f"[{value}]" for value in before.score_cards)
    heads = ["colours", "bonus", "objectives", "round", "total"]
    lines = [[f"end of round {before.round}", *values, *heads]]
    for player, score in enumerate(after.round_scores[-1]):
        columns = columns_text(before.config.deck, after.round_tableaux[-1][player])
        points = (*score, score.total, after.scores[player])
        lines.append([names[player], *columns, *map(str, points)])
    return aligned(lines)
