"""Which pages have generated tables, and what makes each table."""

import re
from collections.abc import Callable
from pathlib import Path

from mindup_env import GameConfig, Layout
from tools.tables import environment, results

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "beyond.md",
    ROOT / "docs" / "mindup.md",
    ROOT / "docs" / "observation.md",
    results.RESULTS / "README.md",
]

TABLES: dict[str, Callable[[], str]] = {
    "champions": results.champions,
    "commands": results.commands,
    "duels": results.duels,
    "engine_speed": results.engine_speed,
    "env_speed": results.env_speed,
    "exploitability": results.exploitability,
    "facts": environment.facts,
    "ladder": results.ladder,
    "observation": Layout(GameConfig()).table,
    "objectives": environment.objectives,
    "options": environment.options,
    "rulings": environment.rulings,
    "spaces": environment.spaces,
    "train_speed": results.train_speed,
}
"""By the name that stands before the place of each in a page."""

_PLACE = re.compile(r"(?<=<!-- table: )(?P<name>\w+)( -->\n\n).*?(?=\n\n|\n?\Z)", re.DOTALL)


def tables_of(page: str) -> list[str]:
    """The names of the tables that belong into the text of a page."""
    return [place["name"] for place in _PLACE.finditer(page)]


def with_current_tables(page: str) -> str:
    """The text of a page with its tables made anew."""
    return _PLACE.sub(lambda place: place[1] + place[2] + TABLES[place["name"]](), page)
