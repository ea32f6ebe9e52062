"""Play against bots, in the browser.

Without any option of the game, the game played last is resumed, or has its settings if it is over.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import tyro

from mindup_env.checks import InputError
from mindup_play.preparation import Preparation
from mindup_play.saved import SavedGames, user_data_folder
from mindup_play.server import Number, ServerOptions, serve
from mindup_play.session import PlayedGame, Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import (
    ASKED,
    PlaySettings,
    check_no_code,
    default_hint_bot,
    drawn_seed,
)

PORT = 8414
NO_HINTS = "none"
"""The value of ``--hints`` that switches them off."""
_ANNOUNCED = "Play at {address} (Ctrl-C ends; games are kept)"
_WAY_OUT = "to start another game: mindup play --new"


@dataclass
class Options:
    """The options of the command.

    Attributes:
        seed: random seed of the deal (default: a random one)
        players: number of players; 3 to 6 in the rulebook (default 4)
        objectives: number of objectives shown together (default 0)
        seat: the person's seat, from 0 (default 0)
        opponents: bots for the seats after the person's; a short list is repeated
            (default planner predictor)
        hints: this bot shows the card that it would play, and its evaluation of each card; none
            switches hints off (default: champion, or search for two players)
        new: start another game
        data: folder of the saved games, for one server at a time (default: the system's folder for
            user data)
    """

    server: tyro.conf.OmitArgPrefixes[ServerOptions]
    seed: Number = None
    players: Number = None
    objectives: Number = None
    seat: Number = None
    opponents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="BOT...", help_behavior_hint="")
    ] = ()
    hints: Annotated[str | None, tyro.conf.arg(metavar="BOT", help_behavior_hint="")] = None
    new: tyro.conf.FlagCreatePairsOff[bool] = False
    data: Annotated[Path | None, tyro.conf.arg(metavar="DIR", help_behavior_hint="")] = None

    @property
    def of_game(self) -> dict[str, Any]:
        """The options of the game that are given."""
        given = {name: getattr(self, name) for name in ASKED}
        return {name: value for name, value in given.items() if value not in (None, ())}


def main(words: Sequence[str]) -> int:
    """Runs ``mindup play``."""
    options = tyro.cli(Options, prog="mindup play", description=__doc__, args=words)
    games = SavedGames(options.data or user_data_folder())
    with games.locked(), closing(Preparation()) as preparation:
        last = None if options.of_game else _last(games, must_be_readable=not options.new)
        resumes = last is not None and not options.new and not last[1].game.over
        game_id, game = last if last and resumes else (games.new_id(), None)
        settings = last[1].settings if last else new_settings(options.of_game)
        if last and not resumes:
            settings = replace(settings, **drawn_seed())
        preparation.start(settings.hints)
        if game:
            print(f"Resuming the unfinished game ({_WAY_OUT})", flush=True)
        plays = game.game.plays if game else ()
        session = Session(settings, plays, preparation.wait_for_bots)
        manager = SessionManager(session, game_id, games, preparation)
        serve(manager, options.server, _ANNOUNCED, usual_port=PORT)
    return 0


def _last(games: SavedGames, *, must_be_readable: bool) -> tuple[str, PlayedGame] | None:
    """The game that was saved last, and its id."""
    for newest, _ in games.newest_first()[:1]:
        try:
            found = games.read(newest)
            check_no_code(found.settings)
        except InputError as error:
            if not must_be_readable:
                return None
            raise InputError(f"the game cannot be resumed: {error}; {_WAY_OUT}") from None
        return newest, found
    return None


def new_settings(given: dict[str, Any]) -> PlaySettings:
    """The settings of a game with these options."""
    seed = {} if "seed" in given else drawn_seed()
    settings = PlaySettings(**{**given, **seed, "hints": None})
    hints = given.get("hints") or default_hint_bot(settings.players)
    return settings if hints == NO_HINTS else replace(settings, hints=hints)
