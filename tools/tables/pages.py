"""Writes the tables of all pages, and the files that are generated as a whole: ``make docs``."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import tools.tables.declarations  # noqa: F401  # it declares the tables
from mindup_agents.process.messages import message_schemas
from mindup_env import GameConfig
from mindup_env.runs.files import write_text
from tools import ROOT
from tools.tables import TABLES

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def protocol_schemas() -> str:
    """The schemas of the messages for the published game for four players."""
    return json.dumps(message_schemas(GameConfig()), indent=2) + "\n"


FILES: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "protocol.schema.json": protocol_schemas,
}

_PLACE = re.compile(r"<!-- table: (?P<name>\w+) -->\n(?:\n(?:\|.*\n)+)?")


def tables_of(page: str) -> list[str]:
    """The names of the tables in the text of a page."""
    return [place["name"] for place in _PLACE.finditer(page)]


def with_current_tables(page: str) -> str:
    """The text of a page with all its tables written again."""
    return _PLACE.sub(
        lambda place: f"<!-- table: {place['name']} -->\n\n{TABLES[place['name']]()}\n", page
    )


if __name__ == "__main__":
    for path in PAGES:
        write_text(path, with_current_tables(path.read_text(encoding="utf-8")))
    for path, text in FILES.items():
        write_text(path, text())
