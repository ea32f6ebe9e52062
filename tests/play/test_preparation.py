"""The code of hints and reviews is compiled in the background, and the page says so."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from mindup_play.preparation import Preparation, main, missing_mark
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import Table


def preparing(table: Table) -> "subprocess.Popen[bytes]":
    """A process that prepares nothing, until its input ends."""
    words = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE)
    vars(table.manager.preparation)["is_ready"] = lambda _: process.poll() is not None
    return process


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the compiled code, where nothing is marked yet."""
    monkeypatch.setattr("mindup_play.preparation.missing_mark", missing_mark)
    monkeypatch.setattr("mindup_play.preparation.cache_folder", lambda _: tmp_path)
    monkeypatch.setattr("mindup_play.preparation._JIT_DISABLED", False)
    return tmp_path


def test_everything_is_prepared_once(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindup_play.preparation.os.nice", int)
    parts = "table", "bots", "champion", "review", "search"
    main(*parts)
    assert {path.name for path in marks.iterdir()} == {*parts}
    monkeypatch.setattr("mindup_play.preparation._begin", None)
    Preparation().start("champion")


def test_the_table_is_prepared_before_the_page_and_each_part_is_ready_by_itself(
    marks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[tuple[str, ...]] = []

    def begin(*parts: str) -> "subprocess.Popen[bytes]":
        begun.append(parts)
        code = "" if parts == ("table",) else "import time; time.sleep(1000)"
        return subprocess.Popen([sys.executable, "-c", code])

    monkeypatch.setattr("mindup_play.preparation._begin", begin)
    with closing(Preparation()) as preparation:
        preparation.start("search")
        assert begun == [("table",), ("bots", "search", "champion", "review")]
        assert capsys.readouterr().out.startswith("Preparing the table: once after installing")
        assert not preparation.is_ready("search") and preparation.is_ready("greedy")
        session = Session(PlaySettings(7, opponents=("lowest",)), (), preparation.wait_for_bots)
        assert session.hint() is None and not session._choosing.done(), "bots are not compiled"
        (marks / "bots").touch()
        session.play(session.game.hand(0)[0])
        (marks / "search").touch()
        assert preparation.is_ready("search") and not preparation.is_ready("review")
    assert preparation.is_ready("review"), "what is missing is compiled where it is used"


@pytest.mark.parametrize("turns", [21])
def test_a_review_waits_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = SimpleNamespace(to_dict=dict)
    monkeypatch.setattr("mindup_play.finished.review_game", lambda *_, **__: empty)
    process, body = preparing(table), {"game": table.turn()["game"]}
    waiting = {"progress": 0.0, "review": None, "preparing": True}
    assert table.ask("/review", body) == (200, waiting)
    process.communicate()
    assert "preparing" not in table.ask("/review", body)[1]
