"""The parts of the documentation that come from the code: ``make docs`` writes them afresh."""

import re
from pathlib import Path

from mindup_env import GameConfig, Layout
from mindup_env.files import write_text

DOCS = Path(__file__).parent.parent / "docs"
OBSERVATION = DOCS / "observation.md"


def with_current_table(text: str) -> str:
    """The page with its table of parts made anew."""
    table = Layout(GameConfig()).table()
    return re.sub(r"\| part \|.*?\n(?=\n)", lambda _: table + "\n", text, flags=re.DOTALL)


if __name__ == "__main__":
    write_text(OBSERVATION, with_current_table(OBSERVATION.read_text(encoding="utf-8")))
