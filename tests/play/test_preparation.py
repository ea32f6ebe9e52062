"""The code of hints and reviews is compiled in the background, and the page says so."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import mindup_cli
from mindup_play.preparation import Preparation, main, missing_mark
from tests.play.tables import WatchedServer, ask, play_to_the_end_by_requests, turn_of


def preparing(server: WatchedServer) -> "subprocess.Popen[bytes]":
    """A process that prepares nothing, until its input ends."""
    words = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    server.manager.preparation._process = process = subprocess.Popen(words, stdin=subprocess.PIPE)
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
    main("table")
    main("page")
    assert {path.name for path in marks.iterdir()} == {"table", "page"}
    preparation = Preparation()
    preparation.start()
    assert preparation._process is None and preparation.ready


def test_the_command_prepares_the_table_before_the_page(
    marks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[str] = []

    def begin(part: str) -> "subprocess.Popen[bytes]":
        started.append(part)
        return subprocess.Popen([sys.executable, "-c", ""])

    monkeypatch.setattr("mindup_play.preparation._begin", begin)
    words = ["play", "--opponents", "nobody", "--no-browser", "--data", str(marks)]
    assert mindup_cli.main(words) == 2
    said = capsys.readouterr()
    assert said.out.startswith("Preparing the table: once after installing")
    assert started == ["table", "page"] and "unknown agent 'nobody'" in said.err


def test_a_review_waits_too(server: WatchedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = SimpleNamespace(to_dict=dict)
    monkeypatch.setattr("mindup_play.review_jobs.review_game", lambda *_, **__: empty)
    process = preparing(server)
    body = turn_of(play_to_the_end_by_requests(server))
    waiting = {"progress": 0.0, "review": None, "preparing": True}
    assert ask(server, "/review", body) == (200, waiting)
    assert ask(server, "/review", {**body, "game": "0" * 16})[0] == 422
    process.communicate()
    assert "preparing" not in ask(server, "/review", body)[1]
