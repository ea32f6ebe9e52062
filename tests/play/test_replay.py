"""``mindup watch replay``: the page of a recorded game."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mindup_cli
from mindup_env import Game
from mindup_play.records import replay_data


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    data = replay_data(record)
    assert data["names"] == ["You", "Ada (greedy)", "Ben (lowest)", "Cleo (planner)"]
    assert data["evaluations"] == record["evaluations"]
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    nameless = {name: value for name, value in record.items() if name != "names"}
    assert replay_data(nameless)["names"] == [f"player {player}" for player in range(4)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"names": \\[', '"names": ["A", ', "names must be a list of 4"),
        ('"You"', r'"\\udc00"', "must be texts in Unicode"),
        ('"evaluations": \\[', '"evaluations": [[], ', "evaluations must be a list of 21"),
        ('"unit": "[a-z ]+"', '"unit": "<b>"', "the unit must be one of"),
        ('"values": {', '"values": {"61": 0, ', "unknown: '61'"),
        ('("values": {"[0-9]+": )[0-9.]+', r"\1Infinity", "must be finite numbers"),
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
