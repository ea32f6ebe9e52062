"""The pages of the documentation with their tables, and the files that are generated as a whole."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from mindup_agents.process.messages import message_schemas
from mindup_env import GameConfig
from tools.tables import TABLES, baselines, declarations, results, win_shares

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = baselines, declarations, results, win_shares
"""They declare the tables."""


def protocol_schemas() -> str:
    """The schemas of the messages for the published game for four players."""
    return json.dumps(message_schemas(GameConfig()), indent=2) + "\n"


FILES: dict[Path, Callable[[], str]] = {
    ROOT / "agents" / "mindup_play" / "bot_scores.json": results.bot_scores,
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
