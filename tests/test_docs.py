"""What the documentation says of the code is what the code says of itself."""

from mindup_env import GameConfig, Layout
from tests.generated_docs import OBSERVATION, with_current_table


def test_the_table_of_parts_is_current() -> None:
    text = OBSERVATION.read_text(encoding="utf-8")
    assert Layout(GameConfig()).table() in text
    assert with_current_table(text) == text
    assert with_current_table(text.replace("| `hand` |", "| `hands` |")) == text
