"""Recorded games as plain data, checked when they are read."""

from collections.abc import Mapping
from typing import Any

from mindup_env.checks import InputError, as_list, check_entries
from mindup_env.config import GameConfig
from mindup_env.game.deal import Deal

FORMAT = "mindup-record-1"


def read_record(plain: Mapping[str, Any]) -> tuple[GameConfig, Deal, list[Any], Any]:
    """The config, the deal, the plays and the result of a record, as ``Game.record`` writes it.

    Plays and result are not compared with the rules yet. Other entries belong to other programs.
    """
    if not isinstance(plain, Mapping) or plain.get("format") != FORMAT:
        raise InputError(f"not a record of a game: 'format' must be {FORMAT!r}")
    entries = "format", "config", "deal", "plays", "result"
    check_entries("a record", {name: plain[name] for name in entries if name in plain}, entries)
    config = GameConfig.from_dict(plain["config"])
    deal = Deal.from_dict(plain["deal"])
    return config, deal, as_list("plays", plain["plays"]), plain["result"]
