"""The form in which games are saved and recorded: plain data, checked when it is read."""

from collections.abc import Mapping
from typing import Any

from mindup_env.config import GameConfig
from mindup_env.deal import Deal

FORMAT = "mindup-record"
VERSION = 1


def make_record(saved: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, **saved, "result": result}


def read_record(record: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """The saved game in a record, and the result that it claims."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise ValueError(f"this is no record of a game: its 'format' must be {FORMAT!r}")
    if record.get("version") != VERSION:
        raise ValueError(
            f"the record has version {record.get('version')!r}, and this release reads {VERSION}"
        )
    saved = {name: value for name, value in record.items() if name not in ("format", "version")}
    result = saved.pop("result", None)
    return saved, result


def read_saved(saved: Mapping[str, Any]) -> tuple[GameConfig, Deal, list[list[int]]]:
    """The config, the deal and the plays of a saved game."""
    expected = {"config": Mapping, "deal": Mapping, "plays": list}
    if not isinstance(saved, Mapping) or set(saved) != set(expected):
        raise ValueError(f"a saved game has the entries {', '.join(expected)} and no others")
    for name, type_ in expected.items():
        if not isinstance(saved[name], type_):
            raise ValueError(f"the entry {name!r} of a saved game is {saved[name]!r}")
    config = GameConfig.from_dict(saved["config"])
    return config, Deal.from_dict(config, saved["deal"]), saved["plays"]
