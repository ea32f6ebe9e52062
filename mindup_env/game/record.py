"""Saved and recorded games as plain data, checked when it is read."""

from collections.abc import Mapping
from typing import Any

from mindup_env.checks import check_entries, shown

FORMAT = "mindup-record"
VERSION = 1
SAVED = ("config", "deal", "plays")
"""The entries of a saved game; a record has them too."""
NAMES = "names"
"""An optional entry that replay pages show: the names of the players, in seat order."""
CARD_EVALUATIONS = "evaluations"
"""An optional entry that replay pages show: per-card evaluations that bots exposed."""


def read_record(record: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """The saved game of a record, and the result that it states."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise ValueError(f"not a record of a game: 'format' must be {FORMAT!r}")
    version = record.get("version")
    if version != VERSION:
        raise ValueError(f"the record has version {shown(version)}; this release reads {VERSION}")
    check_entries(
        "a record",
        record,
        ("format", "version", *SAVED, "result"),
        (NAMES, CARD_EVALUATIONS),
    )
    return {name: record[name] for name in SAVED}, record["result"]
