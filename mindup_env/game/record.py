"""Recorded games as plain data, checked when they are read."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mindup_env.checks import as_list, check_entries
from mindup_env.config import GameConfig
from mindup_env.game.deal import Deal

FORMAT = "mindup-record-1"
NAMES = "names"
"""An optional entry that replay pages show: the names of the players, in seat order."""
CARD_EVALUATIONS = "evaluations"
"""An optional entry that replay pages show: per-card evaluations that bots exposed."""


class Record(NamedTuple):
    """A recorded game; its plays and its result are not compared with the rules yet."""

    config: GameConfig
    deal: Deal
    plays: list[Any]
    result: Any


def read_record(plain: Mapping[str, Any]) -> Record:
    """A record from plain data, as ``Game.record`` writes it."""
    if not isinstance(plain, Mapping) or plain.get("format") != FORMAT:
        raise ValueError(f"not a record of a game: 'format' must be {FORMAT!r}")
    check_entries("a record", plain, ("format", *Record._fields), (NAMES, CARD_EVALUATIONS))
    config = GameConfig.from_dict(plain["config"])
    deal = Deal.from_dict(config, plain["deal"])
    return Record(config, deal, as_list("plays", plain["plays"]), plain["result"])
