"""The games in the text files are still those that are played, and the bots play what they did."""

from pathlib import Path

import pytest

from tools.golden import FILES, FOLDER


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_file_is_as_written(path: Path) -> None:
    assert FILES[path]() == path.read_text(encoding="utf-8")


def test_no_file_is_left_over() -> None:
    assert {*FOLDER.rglob("*.txt")} == {*FILES}
