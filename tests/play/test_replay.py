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
from tests.scripted_game import scripted

NAMES = ["You", "greedy", "lowest", "planner"]


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to_the_end(Session(settings)).record()))
    return plain


def test_the_page_holds_the_table_after_every_turn_with_all_hands(record: dict[str, Any]) -> None:
    data = replay_data(record)
    assert data["names"] == NAMES
    assert len(data["tables"]) == 22 and len(data["deck"]) == 60
    for turns in (0, 6, 7, 21):
        game = Game.replay(record, turns=turns)
        for player, state in enumerate(data["tables"][turns]["players"]):
            assert sorted(state["known"] + state["hidden"]) == list(game.hand(player))
            assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
    assert data["evaluations"] == record["evaluations"]


def test_players_without_names_are_numbered(record: dict[str, Any]) -> None:
    nameless = {name: value for name, value in record.items() if name != "names"}
    assert replay_data(nameless)["names"] == [f"player {player}" for player in range(4)]
    for wrong, message in ((["A"], "must be those of 4 players, not 1"), ([1], "must be texts")):
        with pytest.raises(ValueError, match=message):
            replay_data({**record, "names": wrong})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda all_: all_.pop(), "must hold 21 turns, not 20"),
        (lambda all_: all_[3].pop(), "turn 4 of evaluations must hold 4 players"),
        (lambda all_: all_[3][1].update(unit="<b>"), "the unit must be one of"),
        (lambda all_: all_[3][1]["values"].update({"61": 0}), "unknown: '61'"),
        (lambda all_: all_[3][1].update(values=dict.fromkeys(all_[3][1]["values"], inf)), "finite"),
    ],
)
def test_evaluations_that_do_not_fit_the_game_are_refused(
    spoil: Callable[[Any], Any], message: str, record: dict[str, Any]
) -> None:
    spoilt = json.loads(json.dumps(record))
    spoil(spoilt["evaluations"])
    with pytest.raises(ValueError, match=message):
        replay_data(spoilt)


# The command


def test_the_command_refuses_what_is_no_record_of_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = scripted(5).record()
    wrong["result"]["scores"][0] += 1
    file = tmp_path / "game.json"
    file.write_text(json.dumps(wrong))
    files = {
        file: ": the record has the result {",
        tmp_path / "none.json": ": No such file",
        tmp_path: ": Is a directory",
    }
    for file, message in files.items():
        assert mindup_cli.main(["watch", "replay", str(file)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("mindup: ") and f"{file}{message}" in error
