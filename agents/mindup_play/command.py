"""Play against bots, in the browser or at the terminal."""

import argparse
import sys
import webbrowser
from pathlib import Path
from threading import Thread

from mindup_play.bots import BotError
from mindup_play.saved import SavedGame, user_data_folder
from mindup_play.server import ADDRESS, Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import DEFAULT_OPPONENTS, PlaySettings, easy_seed, split_specs
from mindup_play.terminal import play_at_the_terminal

_TABLE = "players", "objectives", "seed", "seat", "opponents", "hints"


def configure(parser: argparse.ArgumentParser) -> None:
    table = parser.add_argument_group(
        "the table", "without any of these an unfinished game is taken up again"
    )
    table.add_argument("--players", type=int, help="3 to 6 in the rulebook (default 4)")
    table.add_argument(
        "--objectives", type=int, help="objectives shown together, 0 to 5 (default 0)"
    )
    table.add_argument("--seed", type=int, help="deals the cards of that seed (default: any)")
    table.add_argument("--seat", type=int, help="where you sit (default 0)")
    table.add_argument(
        "--opponents",
        type=split_specs,
        metavar="BOT,BOT,...",
        help=f"for the seats after yours, in turn (default {','.join(DEFAULT_OPPONENTS)})",
    )
    table.add_argument("--hints", metavar="BOT", help="can be asked what it would play")
    table.add_argument("--new", action="store_true", help="begin another game in any case")
    parser.add_argument("--terminal", action="store_true", help="play at the terminal")
    parser.add_argument("--port", type=int, default=0, help="of the page (default: any free one)")
    parser.add_argument("--no-browser", action="store_true", help="only say where the page is")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="for an unfinished game (default: where this system has your data)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    saved = SavedGame(arguments.data or user_data_folder())
    session = _sit_down(arguments, saved)
    manager = SessionManager(
        session, saved, lambda words: print(f"mindup: {words}", file=sys.stderr)
    )
    if arguments.terminal:
        play_at_the_terminal(session, manager.keep)
    else:
        _serve(manager, arguments)
    return 0


def _sit_down(arguments: argparse.Namespace, saved: SavedGame) -> Session:
    asked = {name: getattr(arguments, name) for name in _TABLE}
    asked = {name: value for name, value in asked.items() if value is not None}
    if saved.exists() and not asked and not arguments.new:
        print("Taking up the unfinished game; mindup play --new begins another.", flush=True)
        try:
            return saved.take_up()
        except ValueError as error:
            raise ValueError(f"{error}; mindup play --new begins another") from None
    if saved.exists():
        print("An unfinished game is there: it is lost with your first card in this one.")
    try:
        return Session(PlaySettings(**{"seed": easy_seed(), **asked}))
    except BotError as error:
        raise ValueError(str(error)) from None


def _serve(manager: SessionManager, arguments: argparse.Namespace) -> None:
    try:
        server = Server(manager, arguments.port)
    except (OSError, OverflowError) as error:
        raise ValueError(f"cannot listen at {ADDRESS}, port {arguments.port}: {error}") from None
    try:
        with server:
            print(f"Play at {server.url} (Ctrl-C ends; an unfinished game is kept)", flush=True)
            if not arguments.no_browser:
                # Some browsers keep the caller until they are closed.
                Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C without an end of its line
