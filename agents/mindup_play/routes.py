"""The routes of the server: what each request must hold, and who answers it.

The files of the page are served beside these routes, by GET: see served_files.py.
"""

import re
from collections.abc import Callable
from typing import Any

from mindup_env import OFFICIAL_DECK
from mindup_env.checks import check_entries, check_int
from mindup_play.languages import TextError
from mindup_play.session_manager import SessionManager, TurnId
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state

_MAX_TURNS = 10**6


class BadRequestError(ValueError):
    """The body of a request lacks something, or holds something else than it must."""


def _deck(_manager: SessionManager, _body: None) -> Any:
    return deck_state(OFFICIAL_DECK)


def _state(manager: SessionManager, _body: None) -> Any:
    return manager.state()


def _hint(manager: SessionManager, _body: None) -> Any:
    return manager.hint()


def _record(manager: SessionManager, _body: None) -> Any:
    return manager.record()


def _play(manager: SessionManager, body: Any) -> Any:
    turn = _turn_of(body, "card")
    return manager.play(turn, _check_int("card", body["card"]))


def _deal(manager: SessionManager, body: Any) -> Any:
    turn = _turn_of(body, "players", "objectives", "seed")
    players, objectives = (_check_int(name, body[name]) for name in ("players", "objectives"))
    return manager.deal(turn, players, objectives, _seed(body["seed"]))


ROUTES: dict[tuple[str, str], Callable[[SessionManager, Any], Any]] = {
    ("GET", "/deck"): _deck,  # colour and points of every card
    ("GET", "/state"): _state,  # the table as the person sees it
    ("GET", "/hint"): _hint,  # the card that the hint bot would play, when it has chosen
    ("GET", "/record"): _record,  # the record of the game, when it is over
    ("POST", "/play"): _play,  # {game_id, turns_played, card} -> the new state
    ("POST", "/deal"): _deal,  # {game_id, turns_played, players, objectives, seed} -> the new state
}


def _turn_of(body: Any, *other_names: str) -> TurnId:
    try:
        check_entries("the body", body, (*TurnId._fields, *other_names))
    except ValueError as error:
        raise BadRequestError(str(error)) from None
    if not isinstance(body["game_id"], str):
        raise BadRequestError("game_id must be the string that /state returns")
    return TurnId(body["game_id"], _check_int("turns_played", body["turns_played"], 0, _MAX_TURNS))


def _check_int(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
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
        raise TextError("seed", highest=MAX_SEED)
    return int(text)
