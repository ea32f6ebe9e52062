"""The routes of the server: what each request must hold, and who answers it.

The files of the page are served beside these routes, by GET: see served_files.py.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from mindup_env import OFFICIAL_DECK
from mindup_env.config import MAX_PLAYERS
from mindup_env.settings.checks import check_entries, check_int
from mindup_play.languages import TextError
from mindup_play.page_state import TurnId
from mindup_play.session_manager import SessionManager
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state

_MAX_TURNS = 10**6
_Given = Mapping[str, Any]


class BadRequestError(ValueError):
    """A request lacks something, or holds something else than it must."""


class WatchedTable(Protocol):
    """A game of bots that a page shows turn by turn."""

    def state(self, first: int) -> dict[str, Any]:
        """All tables from the one after ``first`` turns on, and what the bots make of them."""
        ...

    def forecast(self, seed: str, turn: int) -> list[dict[str, list[float]]]:
        """By seat and card, the probability of each prize of the row after so many turns.

        Args:
            seed: that of the game, as its state has it; empty for a recorded game.
            turn: the number of turns.

        Raises:
            StaleRequestError: the game is another one.
            ValueError: the turn is not played yet.
        """
        ...


class Route(NamedTuple):
    """``answer`` gets what the server serves, and the entries of the request.

    ``entries`` are those of the query of a GET, or of the JSON body of a POST.
    """

    answer: Callable[[Any, _Given], Any]
    entries: tuple[str, ...] = ()

    def __call__(self, answering: Any, given: Any) -> Any:
        try:
            check_entries("the request", given, self.entries)
        except ValueError as error:
            raise BadRequestError(str(error)) from None
        return self.answer(answering, given)


def _play(manager: SessionManager, body: _Given) -> Any:
    return manager.play(_turn(body), _int("card", body["card"]))


def _deal(manager: SessionManager, body: _Given) -> Any:
    numbers = {name: _int(name, body[name]) for name in ("players", "objectives", "seat")}
    opponents = body["opponents"]
    if not isinstance(opponents, list) or not 1 <= len(opponents) < MAX_PLAYERS:
        raise BadRequestError(f"opponents must be a list of 1 to {MAX_PLAYERS - 1} bots")
    if not all(isinstance(bot, str) for bot in opponents):
        raise BadRequestError("opponents must be names of bots")
    if not isinstance(body["hints"], bool):
        raise BadRequestError("hints must be true or false")
    game = {"opponents": opponents, "seed": _seed(body["seed"]), "hints": body["hints"]}
    return manager.deal(_turn(body), {**numbers, **game})


def _resume(manager: SessionManager, body: _Given) -> Any:
    return manager.resume(_turn(body), _text("saved_game", body["saved_game"]))


def _delete(manager: SessionManager, body: _Given) -> Any:
    return manager.delete(_text("saved_game", body["saved_game"]))


def _review(manager: SessionManager, body: _Given) -> Any:
    return manager.review(_text("game", body["game"]))


def _try_again(manager: SessionManager, body: _Given) -> Any:
    turns = _int("turns", body["turns"], 0, _MAX_TURNS)
    return manager.try_again(_text("game", body["game"]), turns)


def _table(table: WatchedTable, query: _Given) -> Any:
    return table.state(_turns("first", query["first"]))


def _forecast(table: WatchedTable, query: _Given) -> Any:
    return table.forecast(query["seed"], _turns("turn", query["turn"]))


_TURN = TurnId._fields

Routes = Mapping[tuple[str, str], Route]

ROUTES: Routes = {
    # colour and points of every card
    ("GET", "/deck"): Route(lambda _manager, _query: deck_state(OFFICIAL_DECK)),
    # the table as the person sees it
    ("GET", "/state"): Route(lambda manager, _query: manager.state()),
    # the card that the hint bot would play, when it has chosen
    ("GET", "/hint"): Route(lambda manager, _query: manager.hint()),
    # the new state
    ("POST", "/play"): Route(_play, (*_TURN, "card")),
    # the bots of the new-game screen
    ("GET", "/offer"): Route(lambda manager, _query: manager.offer()),
    # the state of the new game
    ("POST", "/deal"): Route(
        _deal, (*_TURN, "players", "objectives", "seat", "opponents", "seed", "hints")
    ),
    # the saved games, newest first
    ("GET", "/games"): Route(lambda manager, _query: manager.saved_games()),
    # the state of a saved game, which becomes the current one
    ("POST", "/resume"): Route(_resume, (*_TURN, "saved_game")),
    # the saved games without the deleted one
    ("POST", "/delete"): Route(_delete, ("saved_game",)),
    # the last state of a finished game
    ("GET", "/finished"): Route(lambda manager, query: manager.finished(query["game"]), ("game",)),
    # all turns of a game so far, with the points that they brought
    ("GET", "/log"): Route(lambda manager, query: manager.log(query["game"]), ("game",)),
    # the record of a finished game
    ("GET", "/record"): Route(lambda manager, query: manager.record(query["game"]), ("game",)),
    # a finished game turn by turn, for its replay
    ("GET", "/replay"): Route(lambda manager, query: manager.replay(query["game"]), ("game",)),
    # how far its review is, or the review; the first request starts it
    ("POST", "/review"): Route(_review, ("game",)),
    # the state of a new game that begins at a turn of it
    ("POST", "/try-again"): Route(_try_again, ("game", "turns")),
}
"""The routes of ``mindup play``; a session manager answers."""

WATCH_ROUTES: Routes = {
    # the tables of a game of bots after so many turns and more, and what the bots make of them
    ("GET", "/table"): Route(_table, ("first",)),
    # the probability that each card takes each prize, after so many turns
    ("GET", "/forecast"): Route(_forecast, ("seed", "turn")),
}
"""The routes of ``mindup watch`` for a recorded game; a watched table answers."""

BOTS_ROUTES: Routes = {
    **WATCH_ROUTES,
    # the seed of the game after that of a seed
    ("POST", "/deal"): Route(
        lambda games, body: games.deal(_text("seed", body["seed"])), ("seed",)
    ),
}
"""The routes of ``mindup watch`` for games of bots."""


def _turn(body: _Given) -> TurnId:
    game_id = _text("game_id", body["game_id"])
    return TurnId(game_id, _int("turns_played", body["turns_played"], 0, _MAX_TURNS))


def _turns(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text, re.ASCII):
        raise BadRequestError(f"{name} must be a number of turns")
    return int(text)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadRequestError(f"{name} must be a string that the server has sent")
    return value


def _int(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    try:
        return check_int(name, value, low, high)
    except ValueError as error:
        raise BadRequestError(str(error)) from None


def _seed(text: Any) -> int | None:
    if not isinstance(text, str) or not re.fullmatch("[0-9]{0,20}", text, re.ASCII):
        raise BadRequestError(
            "seed must be a string of at most 20 digits, or empty for a random one"
        )
    if not text:
        return None
    if int(text) > MAX_SEED:
        raise TextError("seed", highest=str(MAX_SEED))  # a JavaScript number is shorter
    return int(text)
