"""The code of hints and reviews is compiled in the background, and the page says so."""

import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import mindup_cli
from mindup_play.preparation import Preparation, main, missing_mark
from tests.play.page import check_no_errors
from tests.play.tables import WatchedServer, ask, play_to_the_end_by_requests, turn_of
from tools.browser import PHONE, READY, Keys, Page

PREPARING = """
import sys
sys.stdin.readline()
print("table", flush=True)
sys.stdin.readline()
print("hints", flush=True)
sys.stdin.readline()
"""
"""A process that says what the preparation says, when the test lets it."""


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the compiled code, where nothing is marked yet."""
    monkeypatch.setattr("mindup_play.preparation.missing_mark", missing_mark)
    monkeypatch.setattr("mindup_play.preparation.cache_folder", lambda _: tmp_path)
    monkeypatch.setattr("mindup_play.preparation._JIT_DISABLED", False)
    return tmp_path


@pytest.mark.usefixtures("marks")
def test_what_the_process_says_is_known_here(monkeypatch: pytest.MonkeyPatch) -> None:
    run = subprocess.Popen

    def popen(words: list[str], **options: Any) -> "subprocess.Popen[str]":
        assert words[1:] == ["-m", "mindup_play.preparation"]
        return run([sys.executable, "-c", PREPARING], **{**options, "stdin": subprocess.PIPE})

    monkeypatch.setattr("mindup_play.preparation.subprocess.Popen", popen)
    preparation = Preparation()
    parts = preparation.table, preparation.hints, preparation.reviews
    assert all(part.is_set() for part in parts)
    preparation.start()
    assert not any(part.is_set() for part in parts)
    assert preparation._process is not None and preparation._process.stdin is not None
    for part in parts[:2]:
        preparation._process.stdin.write("\n")
        preparation._process.stdin.flush()
        part.wait()
    assert not preparation.reviews.is_set()
    preparation.close()
    preparation.reviews.wait()


def test_everything_is_prepared_once(
    marks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_play.preparation.os.nice", int)
    main()
    assert capsys.readouterr().out == "table\nhints\nreviews\n"
    assert {path.name for path in marks.iterdir()} == {"table", "hints", "reviews"}
    preparation = Preparation()
    preparation.start()
    assert preparation._process is None


def test_the_command_prepares_the_table_before_the_page(
    marks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Waiting(Event):
        def wait(self, timeout: float | None = None) -> bool:
            print("waits")
            return timeout is None

    def start(preparation: Preparation) -> None:
        preparation.table = Waiting()

    monkeypatch.setattr(Preparation, "start", start)
    words = ["play", "--opponents", "nobody", "--no-browser", "--data", str(marks)]
    assert mindup_cli.main(words) == 2
    said = capsys.readouterr()
    assert said.out.startswith("Preparing the table: once after installing")
    assert said.out.endswith("\nwaits\n") and "unknown agent 'nobody'" in said.err


@pytest.mark.parametrize("size", [PHONE])
def test_a_hint_waits_in_words_while_the_game_goes_on(page: Page, table: WatchedServer) -> None:
    preparing = "document.querySelector('#hint-text').textContent.includes('being prepared')"
    table.manager.preparation.hints.clear()
    page.keys("h")
    page.until(preparing)
    assert page.content("#announcement") == page.text("#hint-text") and page.fits()
    page.keys("1", Keys.ENTER)
    page.until(f"{READY} && {preparing}")
    assert "prepared" not in page.content("#announcement"), "it is announced once"
    table.manager.preparation.hints.set()
    page.until("document.querySelector('.hinted')")
    assert "planner would play" in page.text("#hint-text")
    assert page.content("#announcement") == page.text("#hint-text")
    check_no_errors(table, page)


def test_a_review_waits_too(server: WatchedServer) -> None:
    server.manager.preparation.reviews.clear()
    body = turn_of(play_to_the_end_by_requests(server))
    waiting = {"progress": 0.0, "review": None, "preparing": True}
    assert ask(server, "/review", body) == (200, waiting)
    assert ask(server, "/review", {**body, "game": "0" * 16})[0] == 422
    server.manager.preparation.reviews.set()
    assert "preparing" not in ask(server, "/review", body)[1]
