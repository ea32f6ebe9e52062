"""The games of an arena as records, a file for each.

A chunk that was cut off is played again, and so are its records written again.
"""

import json
from pathlib import Path

from mindup_arena.schedule import line_ups
from mindup_arena.settings import ArenaSettings
from mindup_arena.tables import Tables
from mindup_env.files import write_text

LINE_UPS = "line-ups.json"
_SEATS = "in rotation r the bot at place i of a line-up is player (i + r) modulo their number"


def write_records(folder: Path, line_up: int, tables: Tables) -> None:
    own = folder / _name(line_up)
    own.mkdir(parents=True, exist_ok=True)
    for deal, rotation, game in tables.games():
        text = json.dumps(game.record()) + "\n"
        (own / f"deal-{deal:06}-rotation-{rotation}.json").write_text(text, encoding="utf-8")


def write_seating(folder: Path, settings: ArenaSettings) -> None:
    """Says beside the records who sat where."""
    bots = {
        _name(index): [settings.bots[bot] for bot in line_up]
        for index, line_up in enumerate(line_ups(settings))
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"seats": _SEATS, "line_ups": bots}, indent=2) + "\n"
    write_text(folder / LINE_UPS, text)


def _name(line_up: int) -> str:
    return f"line-up-{line_up:03}"
