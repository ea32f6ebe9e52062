"""The games, the choices of the bots and the numbers of trainings are still those in the files."""

import json
from pathlib import Path

import pytest

from tools.golden import FILES, FOLDER, NUMBERS
from tools.golden_training import numbers


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_file_is_as_written(path: Path) -> None:
    assert FILES[path]() == path.read_text(encoding="utf-8")


def test_no_file_is_left_over() -> None:
    assert {*FOLDER.rglob("*.txt")} == {*FILES}


def test_trainings_compute_the_same_numbers() -> None:
    expected = json.loads(NUMBERS.read_text(encoding="utf-8"))
    assert numbers() == pytest.approx(expected, rel=1e-3, abs=1e-6)
