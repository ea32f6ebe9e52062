"""Settings from plain data, as JSON and TOML have it, also under the names of first versions."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from mindup_agents.features import current_id
from mindup_env.cards import Deck
from mindup_env.settings.checks import as_list, check_entries

OFFICIAL = "official"
"""The name of the deck of the published game."""
_GAME_ENTRIES = ("num_rounds", "hand_size", "deck")
_CURRENT_NAMES = {
    "ppo": {"entropy_weight": "ent_coef", "value_weight": "vf_coef"},
    "self_play": {"share": "snapshot_share"},
}
"""Run folders and presets of the first versions have the names on the left."""


def replace_fields(name: str, settings: Any, plain: Any) -> Any:
    """A dataclass with the fields replaced that ``plain`` has; errors call it ``name``."""
    check_entries(name, plain, (), (each.name for each in fields(settings)))
    types = get_type_hints(type(settings))
    read = {
        key: _read(key, value, types[key], getattr(settings, key)) for key, value in plain.items()
    }
    return replace(settings, **read)


def with_current_names(plain: Any) -> Any:
    if not isinstance(plain, Mapping):
        return plain
    current = {"features" if name == "inputs" else name: value for name, value in plain.items()}
    if isinstance(current.get("features"), str):
        current["features"] = current_id(current["features"])
    for section, names in _CURRENT_NAMES.items():
        entries = current.get(section)
        if isinstance(entries, Mapping):
            current[section] = {names.get(name, name): entries[name] for name in entries}
    return current


def _read(name: str, value: Any, annotation: Any, now: Any) -> Any:
    """A value of the annotated type; the dataclass itself checks the ranges of numbers."""
    if get_origin(annotation) is tuple:
        kind = get_args(annotation)[0]
        if kind is int and isinstance(value, int):
            value = [value]  # players = 4 is short for players = [4]
        return tuple(_read_item(name, each, kind) for each in as_list(name, value))
    if NoneType in get_args(annotation):
        if value is None:
            return None
        annotation = next(kind for kind in get_args(annotation) if kind is not NoneType)
    if is_dataclass(annotation) and isinstance(annotation, type):
        return replace_fields(name, now or annotation(), value)
    if hasattr(annotation, "_fields"):
        return _read_named_tuple(name, value, annotation)
    if get_origin(annotation) is Mapping:
        return _read_game(name, value, now)
    return _read_item(name, value, annotation)


def _read_game(name: str, value: Any, now: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of a game; a deck can be the path of a CSV file."""
    check_entries(name, value, (), _GAME_ENTRIES)
    game = {**now, **value}
    deck = game.get("deck", OFFICIAL)
    if isinstance(deck, str) and deck != OFFICIAL:
        try:
            game["deck"] = [list(card) for card in Deck.from_csv(Path(deck))]
        except OSError as error:
            raise ValueError(f"cannot read the deck {deck}: {error.strerror}") from None
    return game


def _read_item(name: str, value: Any, kind: Any) -> Any:
    if hasattr(kind, "from_dict"):
        return kind.from_dict(value)
    if kind is str and not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {value!r}")
    if kind is bool and not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false, not {value!r}")
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        with suppress(OverflowError):  # the range of the setting refuses it
            return float(value)
    return value


def _read_named_tuple(name: str, value: Any, kind: Any) -> Any:
    names = kind._fields
    if isinstance(value, Mapping):
        check_entries(name, value, names)
        value = [value[each] for each in names]
    items = as_list(name, value)
    if len(items) != len(names):
        raise ValueError(f"{name} must be {len(names)} numbers ({', '.join(names)}), not {value!r}")
    return kind(*items)
