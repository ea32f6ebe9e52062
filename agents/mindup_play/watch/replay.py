"""Step through a recorded game, in the browser."""

import argparse
from pathlib import Path

from mindup_env.files import content_errors_name, read_json
from mindup_play.records import replay_data
from mindup_play.server import add_server_options, serve
from mindup_play.watch.tables import WATCHED_AT, RecordedGame


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the record of a game, as JSON")
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    record = read_json(arguments.file)
    with content_errors_name(arguments.file):
        data = replay_data(record)
    serve(RecordedGame(data), arguments, WATCHED_AT, "/review.html")
    return 0
