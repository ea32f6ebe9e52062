"""Play against bots, in the browser.

Group: play
Example: mindup play --players 5 --opponents greedy planner
"""

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from mindup_env import GameConfig
from mindup_env.agent import split_specs
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.offer import default_hint_bot
from mindup_play.preparation import Preparation, missing_mark, prepare_table
from mindup_play.records import games_of
from mindup_play.saved import GameInUseError, SavedGame, SavedGames, user_data_folder
from mindup_play.server import add_server_options, serve, warn
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings, drawn_seed

PORT = 8414
NO_HINTS = "none"
"""The value of ``--hints`` that switches them off."""
_ANNOUNCED = "Play at {address} (Ctrl-C ends; games are kept)"
_PREPARING = "Preparing the table: once after installing, this takes up to a minute"
_NEW_GAME = "to start another game: mindup play --new"


def configure(parser: argparse.ArgumentParser) -> None:
    game = parser.add_argument_group(
        "the game",
        "without any of these options, the game played last is resumed if it is unfinished",
    )
    add_options(game, PlaySettings)
    game.add_argument("--new", action="store_true", help="start another game")
    game.add_argument(
        "--record", type=Path, metavar="FILE", help="play the deal of a recorded game, as JSON"
    )
    game.add_argument(
        "--turn",
        type=int,
        metavar="N",
        help="play on after so many turns of the record (default: from the deal)",
    )
    add_server_options(parser, PORT)
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of the saved games (default: the system's folder for user data)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if mark := missing_mark("table"):
        print(_PREPARING, flush=True)
        prepare_table(mark)
    with closing(Preparation()) as preparation, closing(_opened(arguments, preparation)) as manager:
        settings = manager.session.settings
        preparation.start(settings.hints or default_hint_bot(settings.players))
        serve(manager, arguments, _ANNOUNCED)
    return 0


def _opened(arguments: argparse.Namespace, preparation: Preparation) -> SessionManager:
    """The game that is resumed, or a new one."""
    games = SavedGames(arguments.data or user_data_folder())
    is_new = arguments.new or arguments.record is not None
    is_resuming = not is_new and not given_options(arguments, PlaySettings)
    resumed = _resumed(games) if is_resuming else None
    session, saved = resumed or (_new_session(arguments), games.new())
    return SessionManager(session, saved, games, warn, preparation)


def _resumed(games: SavedGames) -> tuple[Session, SavedGame] | None:
    """The game that was saved last, if it is unfinished and no other process has it open."""
    saved = next((each for each, _ in games.newest_first()), None)
    if saved is None:
        return None
    try:
        if saved.read().game.over:
            return None
        session = saved.load()
    except GameInUseError:
        print("The unfinished game is open in another process: this is a new game")
        return None
    except ValueError as error:
        raise ValueError(f"the game cannot be resumed: {error}; {_NEW_GAME}") from None
    print(f"Resuming the unfinished game ({_NEW_GAME})", flush=True)
    return session, saved


def _new_session(arguments: argparse.Namespace) -> Session:
    given = given_options(arguments, PlaySettings)
    if "opponents" in given:
        given["opponents"] = split_specs(",".join(given["opponents"]))
    if "seed" not in given:
        given |= drawn_seed()
    if given.get("hints") == NO_HINTS:
        given["hints"] = None
    recorded: dict[str, Any] = {}
    plays: Sequence[Sequence[int]] = ()
    if arguments.record is not None:
        recorded, plays = read_recorded_deal(arguments.record, arguments.turn or 0, given)
    elif arguments.turn is not None:
        raise ValueError("--turn can only be combined with --record")
    settings = PlaySettings(**given, **recorded)
    if "hints" not in given:
        settings = replace(settings, hints=default_hint_bot(settings.players))
    return Session(settings, plays)


def read_recorded_deal(
    path: Path, turns: int, given: Mapping[str, Any]
) -> tuple[dict[str, Any], Sequence[Sequence[int]]]:
    """The settings of a game with the deal of a record, and the plays of its first turns.

    ``given`` are the settings that the user chose; those of the record must not be among them.
    """
    for name in ("players", "objectives"):
        if name in given:
            raise ValueError(f"--{name} cannot be combined with --record: the record has them")
    record = read_json(path)
    with content_errors_name(path):
        game = games_of(record)[-1]
        config = game.config
        if config != GameConfig(config.num_players, config.num_objectives):
            raise ValueError(f"only games of the published rules can be played, not {config}")
        last = len(game.plays) - game.over
        check_int("--turn for this record", turns, 0, last)
    settings = {"players": config.num_players, "objectives": config.num_objectives}
    return {**settings, "deal": game.deal.to_dict()}, game.plays[:turns]
