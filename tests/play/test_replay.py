"""``mindup watch replay``: the page of a recorded game."""

import json
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest

import mindup_cli
from mindup_env import Game
from mindup_play.records import replay_data
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import play_to_the_end

NAMES = ["You", "greedy", "lowest", "planner"]


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to_the_end(Session(settings)).record()))
    return plain


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    data = replay_data(record)
    assert data["names"] == NAMES and data["evaluations"] == record["evaluations"]
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    nameless = {name: value for name, value in record.items() if name != "names"}
    assert replay_data(nameless)["names"] == [f"player {player}" for player in range(4)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda record: record.update(names=["A"]), "names must be a list of 4"),
        (lambda record: record.update(names=[1] * 4), "names must be texts"),
        (lambda record: record.update(evaluations={}), "evaluations must be a list of 21"),
        (lambda record: record["evaluations"].pop(), "must be a list of 21"),
        (
            lambda record: record["evaluations"][3].pop(),
            "turn 4 of evaluations must be a list of 4",
        ),
        (lambda record: record["evaluations"][3][1].update(unit="<b>"), "the unit must be one of"),
        (lambda record: record["evaluations"][3][1]["values"].update({"61": 0}), "unknown: '61'"),
        (lambda record: spoil_values(record, inf), "must be finite numbers"),
        (lambda record: spoil_values(record, "1"), "must be finite numbers"),
        (lambda record: record["result"]["scores"].reverse(), "the record has the result {"),
    ],
)
def test_a_record_that_does_not_fit_its_game_is_refused_with_its_file(
    spoil: Callable[[Any], Any],
    message: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoilt = json.loads(json.dumps(record))
    spoil(spoilt)
    (file := tmp_path / "game.json").write_text(json.dumps(spoilt))
    assert mindup_cli.main(["watch", "replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mindup: {file}: ") and message in error and error.count("\n") == 1


def spoil_values(record: Any, value: object) -> None:
    evaluation = record["evaluations"][3][1]
    evaluation["values"] = dict.fromkeys(evaluation["values"], value)


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, message in {tmp_path / "none.json": "No such file", tmp_path: "directory"}.items():
        assert mindup_cli.main(["watch", "replay", str(file)]) == 2
        assert f"mindup: cannot read {file}: " in (error := capsys.readouterr().err)
        assert message in error
