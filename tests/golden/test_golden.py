"""The games in the text files beside this one are still the games that are played."""

import pytest

from mindup_env import GameConfig
from tools.golden.games import FOLDER, configs, path_of, playthrough


@pytest.mark.parametrize(("name", "config"), configs().items(), ids=configs())
def test_the_game_is_as_written(name: str, config: GameConfig) -> None:
    assert playthrough(config) == path_of(name).read_text(encoding="utf-8")


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(configs())
