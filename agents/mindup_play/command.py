"""Play against bots, in the browser."""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from mindup_env.agent import split_specs
from mindup_env.settings.command_line import add_options, given_options
from mindup_play.offer import default_hint_bot
from mindup_play.preparation import Preparation, missing_mark, prepare_table
from mindup_play.saved import SavedGames, user_data_folder
from mindup_play.server import add_server_options, serve
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings, drawn_seed

PORT = 8414
NO_HINTS = "none"
"""The value of ``--hints`` that switches them off."""
_ANNOUNCED = "Play at {address} (Ctrl-C ends; games are kept)"
_PREPARING = "Preparing the table: once after installing, this takes up to a minute"
_NEW_GAME = "to start another game: mindup play --new"


def main(words: Sequence[str]) -> int:
    """Runs ``mindup play``."""
    parser = argparse.ArgumentParser("mindup play", description=__doc__.partition("\n")[0])
    configure(parser)
    return run(parser.parse_args(words))


def configure(parser: argparse.ArgumentParser) -> None:
    game = parser.add_argument_group(
        "the game",
        "without any of these options, the game played last is resumed if it is unfinished",
    )
    add_options(game, PlaySettings)
    game.add_argument("--new", action="store_true", help="start another game")
    add_server_options(parser, PORT)
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of the saved games (default: the system's folder for user data)",
    )


def run(arguments: argparse.Namespace) -> int:
    if mark := missing_mark("table"):
        print(_PREPARING, flush=True)
        prepare_table(mark)
    games = SavedGames(arguments.data or user_data_folder())
    is_resuming = not arguments.new and not given_options(arguments, PlaySettings)
    resumed = _resumed(games) if is_resuming else None
    game_id, session = resumed or (games.new_id(), _new_session(arguments))
    settings = session.settings
    with closing(Preparation()) as preparation:
        preparation.start(settings.hints or default_hint_bot(settings.players))
        serve(SessionManager(session, game_id, games, preparation), arguments, _ANNOUNCED)
    return 0


def _resumed(games: SavedGames) -> tuple[str, Session] | None:
    """The game that was saved last, if it is unfinished, and its id."""
    newest = next((game_id for game_id, _ in games.newest_first()), None)
    if newest is None:
        return None
    try:
        if games.read(newest).game.over:
            return None
        session = games.load(newest)
    except ValueError as error:
        raise ValueError(f"the game cannot be resumed: {error}; {_NEW_GAME}") from None
    print(f"Resuming the unfinished game ({_NEW_GAME})", flush=True)
    return newest, session


def _new_session(arguments: argparse.Namespace) -> Session:
    given = given_options(arguments, PlaySettings)
    if "opponents" in given:
        given["opponents"] = split_specs(",".join(given["opponents"]))
    if "seed" not in given:
        given |= drawn_seed()
    if given.get("hints") == NO_HINTS:
        given["hints"] = None
    settings = PlaySettings(**given)
    if "hints" not in given:
        settings = replace(settings, hints=default_hint_bot(settings.players))
    return Session(settings)
