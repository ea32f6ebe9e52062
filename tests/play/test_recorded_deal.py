"""Playing on from a turn of a recorded game."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Game, cli
from mindup_play.command import read_recorded_deal
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.replaying import written
from tests.play.tables import ask, served
from tests.scripted_game import scripted

RECORDED = PlaySettings(5, players=3, objectives=2, opponents=("greedy", "lowest"))


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    session = Session(RECORDED)
    while not session.game.over:
        session.play(session.game.hand(0)[-1])
    return session.record()


def test_the_game_goes_on_after_the_recorded_turns(record: dict[str, Any], tmp_path: Path) -> None:
    recorded, plays = read_recorded_deal(written(tmp_path, record), 8, {"seat": 1})
    settings = PlaySettings(1, seat=1, opponents=("lowest",), **recorded)
    session = Session(settings, plays)
    assert session.game == Game.replay(record, turns=8)
    session.play(session.game.hand(1)[0])
    # It is saved with its deal, and resumed.
    saved = SavedGames(tmp_path).new()
    saved.save(session)
    saved.close()
    assert saved.read().game == session.game
    resumed = saved.load()
    saved.close()
    assert resumed.settings == settings and resumed.game == session.game
    with served(resumed, tmp_path / "served") as server:
        state = ask(server, "/state")[1]
        assert (state["seed"], state["command"]) == (None, None), "no seed deals these cards"


def test_the_command_plays_the_deal(
    record: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = "".join(f"{card}\n" for card in range(1, 61))
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    words = ["play", "--record", str(written(tmp_path, record)), "--turn", "20", "--terminal"]
    assert cli.main([*words, "--opponents", "greedy", "lowest", "--data", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "Round 3 of 3 \u00b7 turn 8 of 8" in text and "mindup play --players" not in text
    ((saved, _),) = SavedGames(tmp_path).newest_first()
    assert saved.read().game.plays[:20] == Game.replay(record, turns=20).plays


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turn", "3"], "--turn can only be combined with --record"),
        (["--record", "FILE", "--turn", "21"], "--turn for this record must be 0 to 20, not 21"),
        (["--record", "FILE", "--players", "4"], "--players cannot be combined with --record"),
        (["--record", "SHORT"], "only games of the published rules can be played"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: list[str],
    message: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short").mkdir()
    files = {
        "FILE": written(tmp_path, record),
        "SHORT": written(tmp_path / "short", scripted(5).record()),
    }
    given = [str(files.get(word, word)) for word in words]
    assert cli.main(["play", "--data", str(tmp_path), "--no-browser", *given]) == 2
    assert message in capsys.readouterr().err
