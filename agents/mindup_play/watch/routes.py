"""The routes of ``mindup watch``."""

import re
from typing import Any

from mindup_env.settings.declaration import settings
from mindup_play.routes import BadRequestError, Route, Routes
from mindup_play.watch.tables import BotsGames, WatchedGame


@settings
class TableRequest:
    first: str


@settings
class ForecastRequest:
    seed: str  # that of the game, as its state has it; empty for a recorded game
    turn: str


@settings
class NextGameRequest:
    seed: str


def _table(game: WatchedGame, request: TableRequest) -> Any:
    return game.state(_turns("first", request.first))


def _forecast(game: WatchedGame, request: ForecastRequest) -> Any:
    return game.forecast(request.seed, _turns("turn", request.turn))


def _next_game(games: BotsGames, request: NextGameRequest) -> Any:
    return games.deal(request.seed)


def _turns(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text, re.ASCII):
        raise BadRequestError(f"{name} must be a number of turns")
    return int(text)


WATCH_ROUTES: Routes = {
    # the tables of a game of bots after so many turns and more, and what the bots make of them
    ("GET", "/table"): Route(_table, TableRequest),
    # the probability that each card takes each prize, after so many turns
    ("GET", "/forecast"): Route(_forecast, ForecastRequest),
}
"""Those for a recorded game; a watched game answers."""

BOTS_ROUTES: Routes = {
    **WATCH_ROUTES,
    # the seed of the game after that of a seed
    ("POST", "/deal"): Route(_next_game, NextGameRequest),
}
"""Those for games of bots."""
