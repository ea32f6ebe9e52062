"""The messages of the protocol: what seats see as fields, the checks of answers, the schemas.

In the observation vector, a part about cards or objectives has an entry for each that exists. As a
field it is the list of those whose entry is not 0: the row, for example, lists the prizes in the
order of their places.
"""

import json
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from mindup_env.cards import COLOURS
from mindup_env.config import OPTION_FIELDS, GameConfig
from mindup_env.objectives import OBJECTIVES as ALL_OBJECTIVES
from mindup_env.observation import LayoutPart, layout_of, observation_text
from mindup_env.settings.checks import shown

VERSION = 1
CARDS, OBJECTIVES, VALUES = "cards", "objectives", "values"
"""What a field holds: numbers of cards, ids of objectives, or the values of the part itself."""
TEXT, OBSERVATION = "text", "observation"
OPTIONAL_VIEWS = {
    TEXT: "the view as the text that a person would read",
    OBSERVATION: "the view as the observation vector",
}
"""What a program can ask for beside the fields."""
SPARE_BITS = 11
"""Bits of 64 that are left out, so that every language can hold the others in a float64."""

_HOLDS = {
    **dict.fromkeys(("hand", "row", "tableaux", "known"), CARDS),
    **dict.fromkeys(("objectives", "objectives_used", "objectives_met"), OBJECTIVES),
}
_IDS = tuple(objective.id for objective in ALL_OBJECTIVES)

Message = TypeVar("Message", bound=BaseModel)


class ProgramError(Exception):
    """A program crashed, took too long or broke the protocol; the message says how."""


class UnflushedError(ProgramError):
    """A program does not flush its output, so that no answer of it comes in time."""


# What seats see


class ViewField(NamedTuple):
    """A field, and the part that it comes from."""

    part: LayoutPart
    of_players: bool  # a list with an entry for each player, from the viewer

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def holds(self) -> str:
        return _HOLDS.get(self.name, VALUES)

    @property
    def meaning(self) -> str:
        """The meaning of the part, or of what the list has of it."""
        found = re.search(r"each [^,;]*", self.part.meaning) if self.holds != VALUES else None
        return found[0] if found else self.part.meaning

    def read(self, part: npt.NDArray[Any]) -> list[Any]:
        """The value for each seat; ``part`` is (B, ...), or (B, players, ...)."""
        if self.holds == VALUES:
            plain: list[Any] = part.tolist()
            return plain
        entries = part.reshape(-1, part.shape[-1])
        names = np.arange(1, len(entries.T) + 1) if self.holds == CARDS else np.array(_IDS)
        found = names[np.nonzero(entries)[1]].tolist()
        ends = np.count_nonzero(entries, axis=1).cumsum().tolist()
        lists = [found[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        if not self.of_players:
            return lists
        players = part.shape[1]
        return [lists[start : start + players] for start in range(0, len(lists), players)]


@lru_cache
def view_fields(config: GameConfig) -> tuple[ViewField, ...]:
    """The fields in the order of the parts."""
    layout = layout_of(config)
    parts = (layout.table_parts, False), (layout.player_parts, True)
    return tuple(ViewField(part, of_players) for some, of_players in parts for part in some)


def seat_views(
    config: GameConfig,
    observation: npt.NDArray[np.int8],
    random_bits: npt.NDArray[np.uint64],
    optional: Collection[str] = (),
) -> list[dict[str, Any]]:
    """The views of a batch of seats.

    Args:
        config: the rules of the game.
        observation: what each seat sees, int8 (B, size).
        random_bits: 64 random bits for each seat, uint64 (B,).
        optional: the names of ``OPTIONAL_VIEWS`` to add.
    """
    parts = layout_of(config).views(observation)
    columns = {field.name: field.read(parts[field.name]) for field in view_fields(config)}
    columns["random_bits"] = (random_bits >> np.uint64(SPARE_BITS)).tolist()
    if TEXT in optional:
        columns[TEXT] = [observation_text(seen, config) for seen in observation]
    if OBSERVATION in optional:
        columns[OBSERVATION] = observation.tolist()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


# What is sent, and what is answered


class Ready(BaseModel, strict=True):
    """The first line of a program."""

    type: Literal["ready"]
    protocol: Annotated[int, Field(ge=VERSION, le=VERSION)]
    name: str = ""
    views: list[Literal["text", "observation"]] = Field(default_factory=list)


class Cards(BaseModel, strict=True):
    """The answer to a request."""

    type: Literal["cards"]
    id: int
    cards: list[Any]  # each is checked, and refused, for its own seat


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
        **{name: getattr(config, name) for name in OPTION_FIELDS.values()},
        "colours": list(COLOURS),
        "deck": [card._asdict() for card in config.deck],
        "objectives": [objective._asdict() for objective in ALL_OBJECTIVES],
        **({"score_order": list(config.score_order)} if config.score_order else {}),
        "observation": {
            "size": layout.size,
            "players": layout.players,
            "block": layout.block,
            "table_parts": [[part.name, part.size] for part in layout.table_parts],
            "player_parts": [[part.name, part.size] for part in layout.player_parts],
        },
    }


def read_ready(line: bytes) -> Ready:
    """Checks the answer to ``hello``."""
    views = f"a list of some of {', '.join(OPTIONAL_VIEWS)}"
    expected = {"type": '"ready"', "protocol": VERSION, "name": "a text", "views": views}
    return _read("the answer to hello", line, Ready, expected)


def read_cards(line: bytes, number: int, hands: Sequence[Sequence[int]]) -> Answer:
    """Checks the answer to request ``number`` for seats with these hands."""
    expected = {"type": '"cards"', "id": number, "cards": f"a list of {len(hands)}"}
    answer = _read("the answer", line, Cards, expected)
    if answer.id != number:
        raise ProgramError(f"the answer has the id {shown(answer.id)}; expected {number}")
    if len(answer.cards) != len(hands):
        raise ProgramError(
            f"the answer has {len(answer.cards)} cards; expected {expected['cards']}"
        )
    problems = {
        seat: f"card {shown(card)} for seat {seat}; expected an integer, a card of its hand: "
        + ", ".join(map(str, hand))
        for seat, (card, hand) in enumerate(zip(answer.cards, hands, strict=True))
        if type(card) is not int or card not in hand
    }
    cards = [0 if seat in problems else card for seat, card in enumerate(answer.cards)]
    return Answer(cards, problems)


def _read(what: str, line: bytes, kind: type[Message], expected: dict[str, Any]) -> Message:
    """A message; ``expected`` says what each of its fields must be."""
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError):  # no UTF-8, no JSON, too deep, or a number too long
        plain = None
    if not isinstance(plain, dict):
        text = shown(line.decode("utf-8", "replace"))
        raise ProgramError(f"{what} is {text}; expected a JSON object on one line")
    try:
        return kind.model_validate(plain)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
    raise ProgramError(f"{what} has the {name} {shown(plain.get(name))}; expected {expected[name]}")


# The schemas


class _Schemas(GenerateJsonSchema):
    """Schemas whose fields have no titles, which would repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # its signature
        return False


def message_schemas(config: GameConfig) -> dict[str, Any]:
    """The JSON Schemas of all messages, and of a seat, for the games of a config.

    They allow further fields: a reader ignores those that it does not know.
    """
    models: list[Any] = [(each, "validation") for each in _models(config)]
    title = f"Messages for {config.num_players} players, protocol {VERSION}"
    _, schemas = models_json_schema(models, title=title, schema_generator=_Schemas)
    sent = [{"$ref": f"#/$defs/{name}"} for name in ("hello", "ready", "choose", "cards")]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schemas, "oneOf": sent}


def _models(config: GameConfig) -> list[type[BaseModel]]:
    """The messages, each with the sizes and bounds of this game."""
    layout, card, count = layout_of(config), _number(1, config.num_cards), _number(1)
    entry = _number(int(layout.low.min()), int(layout.high.max()))
    seat = _model(
        "seat",
        **{field.name: _described(field, config) for field in view_fields(config)},
        random_bits=_number(0, 2 ** (64 - SPARE_BITS) - 1),
        **{
            TEXT: (str, Field(default_factory=str)),
            OBSERVATION: (_list(entry, layout.size), Field(default_factory=list)),
        },
    )
    of_deck = _model("card", number=card, colour=Literal[COLOURS], points=int)
    objective = _model("objective", id=str, letter=str, points=int, condition=str)
    parts = list[tuple[str, count]]  # type: ignore[valid-type]
    sizes = dict.fromkeys(("size", "players", "block"), count)
    vector = _model("vector", **sizes, table_parts=parts, player_parts=parts)
    hello = _model(
        "hello",
        type=Literal["hello"],
        protocol=Literal[1],
        deadline=Annotated[float, Field(gt=0)],
        **{name: Literal[getattr(config, name)] for name in OPTION_FIELDS.values()},
        colours=Annotated[list[str], Field(json_schema_extra={"const": [*COLOURS]})],
        deck=_list(of_deck, config.num_cards),
        objectives=_list(objective, len(ALL_OBJECTIVES)),
        observation=vector,
    )
    choose = _model("choose", type=Literal["choose"], id=count, seats=_list(seat))
    ready = _model("ready", Ready)
    cards = _model("cards", Cards, id=count, cards=_list(card))
    return [hello, ready, choose, cards, seat]


def _described(field: ViewField, config: GameConfig) -> Any:
    """The type of a field of a seat, with its meaning."""
    if field.holds == CARDS:
        kind = _list(_number(1, config.num_cards), unique=True)
    elif field.holds == OBJECTIVES:
        kind = _list(Literal[_IDS], unique=True)
    else:
        kind = _number(field.part.low, field.part.high)
        for size in reversed(field.part.shape):
            kind = _list(kind, size)
    if field.of_players:
        kind = _list(kind, config.num_players)
    return Annotated[kind, Field(description=field.meaning)]


def _model(name: str, base: type[BaseModel] = BaseModel, /, **fields: Any) -> type[BaseModel]:
    typed: dict[str, Any] = {
        key: each if isinstance(each, tuple) else (each, ...) for key, each in fields.items()
    }
    return create_model(name, __base__=base, **typed)


def _number(low: int | None = None, high: int | None = None) -> Any:
    return Annotated[int, Field(ge=low, le=high)]


def _list(items: Any, size: int | None = None, *, unique: bool = False) -> Any:
    extra: dict[str, Any] = {"uniqueItems": True} if unique else {}
    return Annotated[list[items], Field(min_length=size, max_length=size, json_schema_extra=extra)]
