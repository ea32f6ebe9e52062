"""Write a web page that ranks results of the benchmark."""

import argparse
from pathlib import Path

from mindup_arena.leaderboard.board import read_board
from mindup_arena.leaderboard.page import write_board
from mindup_env.runs.files import check_writable
from mindup_env.settings.extras import require


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("results", nargs="+", type=Path, metavar="RESULT", help="a file of mindup benchmark --json")
    add("--html", type=Path, metavar="PAGE", required=True, help="the page to write")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("the leaderboard", "arena", "jinja2", "scipy")
    check_writable(arguments.html, arguments.html.parent)
    board = read_board(arguments.results)
    write_board(arguments.html, board)
    print(f"{arguments.html} shows {len(board.bots)} bots")
    return 0
