"""Step through a recorded game, in the browser or as a page in a file.

Example: mindup watch replay game.json
"""

import argparse
from pathlib import Path

from mindup_env.game.record import CARD_EVALUATIONS
from mindup_env.runs.files import check_writable, write_text
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import add_names_option, replay_page
from mindup_play.server import add_server_options, serve
from mindup_play.watch.tables import WATCHED_AT, WatchedGame


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record of a game, as JSON")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write a web page that needs no network"
    )
    add_names_option(parser, "names of the players on the page, in seat order")
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.html is not None:
        check_writable(arguments.html)
    record, names = read_json(arguments.file), arguments.names
    with content_errors_name(arguments.file):
        if arguments.html is not None:
            page = replay_page(record, names)
        else:
            game = WatchedGame.of_record(record, names)
    if arguments.html is not None:
        write_text(arguments.html, page)
        without = ", without card evaluations: the record has none"
        print(f"{arguments.html} shows the game{'' if CARD_EVALUATIONS in record else without}")
    else:
        serve(game, arguments, WATCHED_AT, "/watch.html")
    return 0
