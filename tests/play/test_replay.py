"""``mindup watch replay``: the page of a recorded game."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mindup_cli
from mindup_env import Game
from mindup_play.finished import ShownGame
from mindup_play.records import games_of, player_names


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    names = player_names(record, 4)
    assert names == ["You", "Ada (greedy)", "Ben (lowest)", "Cleo (planner)"]
    data = ShownGame(games_of(record), names).data()
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    assert player_names({}, 2) == ["player 0", "player 1"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"names": \\[', '"names": ["A", ', "names must be a list of 4 texts"),
        ('"You"', "3", "names must be a list of 4 texts"),
        ('"scores": \\[', '"scores": [1, ', "the record has the result {"),
    ],
)
def test_a_record_that_does_not_fit_its_game_is_refused_with_its_file(
    old: str,
    new: str,
    message: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (file := tmp_path / "game.json").write_text(re.sub(old, new, json.dumps(record)))
    assert mindup_cli.main(["watch", "replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mindup: {file}: ") and message in error and error.count("\n") == 1
