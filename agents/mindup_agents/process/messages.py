"""The messages of the protocol: those to a program, and the checks of its answers."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from mindup_agents.process.child import ProgramError
from mindup_agents.process.seat_views import OPTIONAL_VIEWS
from mindup_env.cards import COLOURS
from mindup_env.config import GameConfig
from mindup_env.objectives import OBJECTIVES
from mindup_env.observation import layout_of
from mindup_env.settings.checks import shown

VERSION = 1


class Ready(NamedTuple):
    """The first line of a program."""

    name: str
    views: tuple[str, ...]  # of OPTIONAL_VIEWS


class Answer(NamedTuple):
    """The cards that a program chose."""

    cards: list[int]  # with 0 where there is a problem
    problems: dict[int, str]  # by seat


# No message contains itself; not to look for it saves a third of the time.
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def encode(message: dict[str, Any]) -> bytes:
    """The line of a message."""
    return _encoder.encode(message).encode() + b"\n"


def hello(config: GameConfig, deadline: float) -> dict[str, Any]:
    """The first message: what a program must know of the game."""
    layout = layout_of(config)
    return {
        "type": "hello",
        "protocol": VERSION,
        "deadline": deadline,
        "num_players": config.num_players,
        "num_objectives": config.num_objectives,
        "num_rounds": config.num_rounds,
        "hand_size": config.hand_size,
        "colours": list(COLOURS),
        "deck": [card._asdict() for card in config.deck],
        "objectives": [objective._asdict() for objective in OBJECTIVES],
        "observation": {
            "size": layout.size,
            "players": layout.players,
            "block": layout.block,
            "table_parts": [[part.name, part.size] for part in layout.table_parts],
            "player_parts": [[part.name, part.size] for part in layout.player_parts],
        },
    }


def choose(number: int, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """The request of a card for each seat."""
    return {"type": "choose", "id": number, "seats": seats}


def read_ready(line: bytes) -> Ready:
    """Checks the answer to ``hello``."""
    message = _read("the answer to hello", line, "ready")
    protocol, name = message.get("protocol"), message.get("name", "")
    if type(protocol) is not int or protocol != VERSION:
        raise ProgramError(f"it speaks protocol {shown(protocol)}; expected {VERSION}")
    if not isinstance(name, str):
        raise ProgramError(f"its name is {shown(name)}; expected a text")
    views = message.get("views", [])
    if not isinstance(views, list) or not all(
        isinstance(view, str) and view in OPTIONAL_VIEWS for view in views
    ):
        expected = ", ".join(OPTIONAL_VIEWS)
        raise ProgramError(f"its views are {shown(views)}; expected a list of some of {expected}")
    return Ready(name, tuple(views))


def read_cards(line: bytes, number: int, hands: Sequence[Sequence[int]]) -> Answer:
    """Checks the answer to request ``number`` for seats with these hands."""
    message = _read("the answer", line, "cards")
    if type(message.get("id")) is not int or message["id"] != number:
        raise ProgramError(f"the answer has the id {shown(message.get('id'))}; expected {number}")
    cards = message.get("cards")
    if not isinstance(cards, list) or len(cards) != len(hands):
        found = f"{len(cards)} cards" if isinstance(cards, list) else f"cards {shown(cards)}"
        raise ProgramError(f"the answer has {found}; expected a list of {len(hands)}")
    problems = {
        seat: f"card {shown(card)} for seat {seat}; expected an integer, a card of its hand: "
        + ", ".join(map(str, hand))
        for seat, (card, hand) in enumerate(zip(cards, hands, strict=True))
        if type(card) is not int or card not in hand
    }
    return Answer([0 if seat in problems else card for seat, card in enumerate(cards)], problems)


def _read(what: str, line: bytes, type_: str) -> dict[str, Any]:
    """A message of a type; anything else is refused."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):  # no UTF-8, no JSON, too deep, or a number too long
        message = None
    if not isinstance(message, dict):
        text = shown(line.decode("utf-8", "replace"))
        raise ProgramError(f"{what} is {text}; expected a JSON object on one line")
    if message.get("type") != type_:
        raise ProgramError(f'{what} has the type {shown(message.get("type"))}; expected "{type_}"')
    return message
