"""JSON Schemas of the messages, from the declared parts of an observation."""

from typing import Any

from mindup_agents.process.fields import CARDS, OBJECTIVES, ViewField, view_fields
from mindup_agents.process.messages import VERSION
from mindup_agents.process.seat_views import OPTIONAL_VIEWS, SPARE_BITS
from mindup_env.cards import COLOURS
from mindup_env.config import GameConfig
from mindup_env.objectives import OBJECTIVES as ALL_OBJECTIVES
from mindup_env.observation import layout_of

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}


def message_schemas(config: GameConfig) -> Schema:
    """The schemas of all messages, and of a seat, for the games of a config."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages for {config.num_players} players, protocol {VERSION}",
        "$defs": {
            "hello": _hello(config),
            "ready": _message(
                "ready",
                {
                    "protocol": {"const": VERSION},
                    "name": _TEXT,
                    "views": _list({"enum": list(OPTIONAL_VIEWS)}),
                },
                optional=("name", "views"),
            ),
            "choose": _message(
                "choose", {"id": _number(1), "seats": _list({"$ref": _ref("seat")})}
            ),
            "cards": _message("cards", {"id": _number(1), "cards": _list(_card(config))}),
            "seat": _seat(config),
        },
        "oneOf": [{"$ref": _ref(name)} for name in ("hello", "ready", "choose", "cards")],
    }


def _hello(config: GameConfig) -> Schema:
    part = {"type": "array", "prefixItems": [_TEXT, _number(1)], "items": False}
    counts = ("num_players", "num_objectives", "num_rounds", "hand_size")
    return _message(
        "hello",
        {
            "protocol": {"const": VERSION},
            "deadline": {"type": "number", "exclusiveMinimum": 0},
            **{name: {"const": getattr(config, name)} for name in counts},
            "colours": {"const": list(COLOURS)},
            "deck": _list(
                _object({"number": _card(config), "colour": _colour(), "points": _number()}),
                config.num_cards,
            ),
            "objectives": _list(
                _object({"id": _TEXT, "letter": _TEXT, "points": _number(), "condition": _TEXT}),
                len(ALL_OBJECTIVES),
            ),
            "observation": _object(
                {
                    **{name: _number(1) for name in ("size", "players", "block")},
                    "table_parts": _list(part),
                    "player_parts": _list(part),
                }
            ),
        },
    )


def _seat(config: GameConfig) -> Schema:
    layout = layout_of(config)
    entry = _number(int(layout.low.min()), int(layout.high.max()))
    fields = {field.name: _field(field, config) for field in view_fields(config)}
    return _object(
        {
            **fields,
            "random_bits": _number(0, 2 ** (64 - SPARE_BITS) - 1),
            "text": _TEXT,
            "observation": _list(entry, layout.size),
        },
        optional=OPTIONAL_VIEWS,
    )


def _field(field: ViewField, config: GameConfig) -> Schema:
    if field.holds == CARDS:
        schema = {**_list(_card(config)), "uniqueItems": True}
    elif field.holds == OBJECTIVES:
        ids = {"enum": [objective.id for objective in ALL_OBJECTIVES]}
        schema = {**_list(ids), "uniqueItems": True}
    else:
        schema = _number(field.part.low, field.part.high)
        for size in reversed(field.part.shape):
            schema = _list(schema, size)
    if field.of_players:
        schema = _list(schema, config.num_players)
    return {"description": field.meaning, **schema}


def _message(type_: str, fields: Schema, optional: tuple[str, ...] = ()) -> Schema:
    return _object({"type": {"const": type_}, **fields}, optional=optional)


def _object(fields: Schema, optional: Any = ()) -> Schema:
    """Further fields are allowed: a reader ignores those that it does not know."""
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


def _list(items: Schema, size: int | None = None) -> Schema:
    sized = {} if size is None else {"minItems": size, "maxItems": size}
    return {"type": "array", "items": items, **sized}


def _number(low: int | None = None, high: int | None = None) -> Schema:
    bounds = {"minimum": low, "maximum": high}
    return {
        "type": "integer",
        **{name: value for name, value in bounds.items() if value is not None},
    }


def _card(config: GameConfig) -> Schema:
    return _number(1, config.num_cards)


def _colour() -> Schema:
    return {"enum": list(COLOURS)}


def _ref(name: str) -> str:
    return f"#/$defs/{name}"
