"""Step through a recorded game, at the terminal or as a web page."""

import argparse
import sys
from pathlib import Path

from mindup_env import Game
from mindup_env.game.record import CARD_EVALUATIONS
from mindup_env.game.table import aligned, columns_text, objectives_text
from mindup_env.settings.checks import check_int
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import add_names_option, games_of, replay_page, write_output

_STEPS = {"": 1, "b": -1, "q": sys.maxsize}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the record of a game, as JSON")
    parser.add_argument(
        "--turn", type=int, help="first turn to show, counted over the game; 0 is the deal"
    )
    parser.add_argument("--all", action="store_true", help="print all turns without asking")
    parser.add_argument(
        "--html", type=Path, metavar="PAGE", help="write a web page that needs no network"
    )
    add_names_option(parser, "names of the players on the page, in seat order")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.html is None and arguments.names is not None:
        raise ValueError("--names can only be combined with --html")
    if arguments.html is not None and (arguments.all or arguments.turn is not None):
        raise ValueError("--html cannot be combined with --turn or --all: the page has all turns")
    record = read_json(arguments.file)
    with content_errors_name(arguments.file):
        page = None if arguments.html is None else replay_page(record, arguments.names)
        games = games_of(record)
    if page is not None:
        write_output(arguments.html, page)
        without = ", without card evaluations: the record has none"
        print(f"{arguments.html} shows the game{'' if CARD_EVALUATIONS in record else without}")
        return 0
    played = len(games[0].plays)  # above 0 if the record begins in the middle of a game
    turn = played if arguments.turn is None else arguments.turn
    first = check_int("--turn for this record", turn, played, played + len(games) - 1) - played
    if arguments.all:
        print(*(_text(games, index) for index in range(first, len(games))), sep="\n\n")
    else:
        _step_through(games, first)
    return 0


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
    turn = f"turn {len(after.plays)} of {after.config.num_turns}"
    parts = [f"{turn}: round {before.round}, turn {before.turn}\n{aligned(plays)}"]
    if len(after.round_scores) > len(before.round_scores):
        parts += [
            "\n".join(
                f"{name} lays down the last card, {deck[last]}"
                for player, name in enumerate(names)
                for last in {*before.hand(player)} - {cards[player]}
            ),
            _scores(before, after, names),
            objectives_text(after.round_objectives[-1].items(), names),
        ]
    return "\n\n".join(filter(None, parts))


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
