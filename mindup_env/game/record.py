"""Saved and recorded games as plain data, checked when it is read."""

from collections.abc import Mapping
from typing import Any

from mindup_env.config import GameConfig
from mindup_env.game.deal import Deal
from mindup_env.settings.checks import as_list, check_entries, shown

FORMAT = "mindup-record"
VERSION = 1
SAVED = ("config", "deal", "plays")
"""The entries of a saved game; a record has them too."""
START = "start"
"""The entry of a game that begins in the middle: the state before its first play."""

NAMES = "names"
"""An optional entry that replay pages show: the names of the players, in seat order."""
CARD_EVALUATIONS = "weighings"
"""An optional entry that replay pages show: per-card evaluations that bots exposed."""


def make_record(saved: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, **saved, "result": result}


def read_record(record: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """The saved game of a record, and the result that it states."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise ValueError(f"not a record of a game: 'format' must be {FORMAT!r}")
    if type(record.get("version")) is not int or record["version"] != VERSION:
        raise ValueError(
            f"the record has version {shown(record.get('version'))}; this release reads {VERSION}"
        )
    check_entries(
        "a record",
        record,
        ("format", "version", *SAVED, "result"),
        (START, NAMES, CARD_EVALUATIONS),
    )
    saved = {name: record[name] for name in (*SAVED, START) if name in record}
    return saved, record["result"]


def read_saved(saved: Mapping[str, Any]) -> tuple[GameConfig, Deal, list[Any]]:
    """The config, the deal and the plays of a saved game."""
    check_entries("a saved game", saved, SAVED, (START,))
    config = GameConfig.from_dict(saved["config"])
    return config, Deal.from_dict(config, saved["deal"]), as_list("plays", saved["plays"])


def check_result(stated: Any, played: Mapping[str, Any]) -> None:
    """Refuses a record whose plays lead to another result than it states."""
    check_entries("the result of a record", stated, played)
    for name, value in played.items():
        if stated[name] != value:
            raise ValueError(
                f"the record states {name} {shown(stated[name])}, but its plays lead to {value!r}"
            )
