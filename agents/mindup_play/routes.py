"""What a page may ask for: each request is read, checked and handed to the host."""

import json
import re
from collections.abc import Callable
from typing import Any

from mindup_env.checks import check_entries, check_int
from mindup_play.session_manager import Plain, SessionManager, Turn

_MOST_CLOCKS = 10**6


class BadRequestError(ValueError):
    """A body that is not what the page sends."""


def read_body(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"the body is not JSON: {error}") from None


def play(manager: SessionManager, body: Any) -> Plain:
    turn = _turn_of(body, ("card",))
    return manager.play(turn, _number("card", body["card"]))


def deal(manager: SessionManager, body: Any) -> Plain:
    turn = _turn_of(body, ("players", "objectives", "seed"))
    players, objectives = (_number(name, body[name]) for name in ("players", "objectives"))
    return manager.deal(turn, players, objectives, _seed(body["seed"]))


POSTS: dict[str, Callable[[SessionManager, Any], Plain]] = {"/play": play, "/deal": deal}
GETS: dict[str, Callable[[SessionManager], Plain]] = {
    "/state": SessionManager.state,
    "/hint": SessionManager.hint,
    "/record": SessionManager.record,
}


def _turn_of(body: Any, more: tuple[str, ...]) -> Turn:
    try:
        check_entries("the body", body, ("game", "clock", *more))
    except ValueError as error:
        raise BadRequestError(str(error)) from None
    if not isinstance(body["game"], str):
        raise BadRequestError("game must be the text that the state names")
    return Turn(body["game"], _number("clock", body["clock"], 0, _MOST_CLOCKS))


def _number(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    try:
        return check_int(name, value, low, high)
    except ValueError as error:
        raise BadRequestError(str(error)) from None


def _seed(text: Any) -> int | None:
    """An empty text is for any seed."""
    if not isinstance(text, str) or not re.fullmatch("[0-9]{0,20}", text, re.ASCII):
        raise BadRequestError("seed must be a text of at most 20 digits, or empty for any")
    return int(text) if text else None
