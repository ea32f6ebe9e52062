"""The baseline bots still play what they played."""

import pytest

from tools.golden.choices import BASELINES, FOLDER, all_choices, path_of


@pytest.mark.parametrize("name", BASELINES)
def test_the_choices_are_as_written(name: str) -> None:
    assert all_choices(name) == path_of(name).read_text(encoding="utf-8")


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(BASELINES)
