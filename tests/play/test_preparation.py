"""The code of hints and reviews is compiled in the background, and the page says so."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from time import sleep
from typing import Any

import numba
import pytest
from numba.core import event as untyped_event

from mindup_env import cli
from mindup_play.preparation import (
    COMPILING,
    FOR_REVIEWS,
    FOR_THE_TABLE,
    HINTS_READY,
    TABLE_READY,
    Preparation,
    TableInPreparation,
    compiled_table,
    main,
)
from tests.play.page import check_no_errors, keep_picture
from tests.play.tables import WatchedServer, ask, play_to_the_end_by_requests
from tools.browser import HOLDING, PHONE, READY, Keys, Page

event: Any = untyped_event
POLLING = """
window.requests = window.answers = 0;
window.pauses = [];
const [get, wait] = [Server.get, setTimeout];
Server.get = async (path) => {
  if (path !== "hint") return get(path);
  requests += 1;
  const answer = await get(path);
  answers += 1;
  return answer;
};
window.setTimeout = (end, milliseconds) => (
  milliseconds === 500 ? pauses.push(end) : wait(end, milliseconds));
"""
"""Counts the requests for a hint, and makes the pauses between them end when the test says so."""
END_PAUSES = "for (const end of pauses.splice(0)) end();"


class Stages(Preparation):
    """A preparation that a test takes from stage to stage."""

    def __init__(self) -> None:
        super().__init__()
        self.hints_ready = self.reviews_ready = False

    def end(self) -> None:
        self.hints_ready = self.reviews_ready = True


PREPARED = """
import sys
print("compiling", flush=True)
sys.stdin.readline()
print("table ready", flush=True)
sys.stdin.readline()
print("hints ready", flush=True)
sys.stdin.readline()
"""
"""A process that says what the preparation says, when the test lets it."""


def test_what_the_process_says_is_known_here(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    run = subprocess.Popen

    def popen(words: list[str], **options: Any) -> "subprocess.Popen[str]":
        assert words[1:] == ["-m", "mindup_play.preparation", "greedy", "random"]
        started.append(
            run([sys.executable, "-c", PREPARED], **{**options, "stdin": subprocess.PIPE})
        )
        return started[0]

    monkeypatch.setattr("mindup_play.preparation.subprocess.Popen", popen)
    preparation = Preparation()
    assert preparation.hints_ready and preparation.reviews_ready
    preparation.start("greedy", ["tests.play.bots:Slow", "random"])
    (process,) = started
    assert process.stdin is not None
    _until(lambda: preparation.num_compiled > 0)
    assert 0 < TableInPreparation(preparation).state()["progress"] < 0.1
    assert not preparation.table_ready
    process.stdin.write("\n")
    process.stdin.flush()
    _until(lambda: preparation.table_ready)
    assert not preparation.hints_ready and not preparation.reviews_ready
    process.stdin.write("\n")
    process.stdin.flush()
    _until(lambda: preparation.hints_ready)
    assert not preparation.reviews_ready
    preparation.close()
    _until(lambda: preparation.reviews_ready)


def test_the_terminal_shows_the_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    preparation = Preparation()
    preparation.wait_for_table()  # before its start, all is ready
    preparation.table_ready = False
    preparation.num_compiled = FOR_THE_TABLE // 2
    Timer(0.5, setattr, (preparation, "table_ready", True)).start()
    preparation.wait_for_table()
    shown = capsys.readouterr().err.split("\r\x1b[K")
    assert "preparing the table:  50%" in shown and shown[-1] == ""


def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        sleep(0.01)


def test_the_process_says_when_it_compiles_and_what_is_ready(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "code-of-another-command").touch()
    monkeypatch.setattr("mindup_play.preparation.cache_folder", lambda _: tmp_path)
    monkeypatch.setattr("mindup_play.preparation._JIT_DISABLED", False)
    mark = compiled_table()
    assert mark is not None and not mark.exists()
    listeners: list[Any] = []
    register = event.register

    def registered(kind: str, listener: Any) -> None:
        listeners.append(listener)
        register(kind, listener)

    monkeypatch.setattr(event, "register", registered)
    monkeypatch.setattr("mindup_play.preparation.os.nice", int)
    try:
        main("greedy", "lowest")
        said = capsys.readouterr().out.splitlines()
        assert said.index(TABLE_READY) < said.index(HINTS_READY) and mark.exists()
        for number in range(2):  # the code may have been in the cache; that of a test is not
            numba.njit(lambda x, number=number: x + number)(1)
        said += capsys.readouterr().out.splitlines()
        assert said.count(COMPILING) >= 2
    finally:
        event.unregister("numba:compile", listeners[0])


def test_a_bot_of_the_user_is_never_started_in_another_process() -> None:
    preparation = Preparation()
    preparation.start("tests.play.bots:Slow")
    assert preparation.hints_ready and preparation.reviews_ready
    preparation.close()


@pytest.mark.parametrize("size", [PHONE])
@pytest.mark.parametrize("look", [{"calm": True, "holds": True}])
def test_a_hint_waits_in_words_while_the_game_goes_on(page: Page, table: WatchedServer) -> None:
    """One request waits, and none while cards are revealed."""
    table.manager.preparation = preparation = Stages()
    page.script(POLLING)
    page.keys(*"hhhhh")
    page.until("answers === 3")
    assert "choosing" in page.text("#hint-text")
    preparation.num_compiled = 1
    for requests in (4, 5):
        page.script(END_PAUSES)
        page.until("answers === requests")
        assert page.script("return [requests, pauses.length]") == [requests, 1]
    assert "once after installing" in page.text("#hint-text") and page.fits()
    assert "prepared" in page.content("#announcement")
    page.keys("1", Keys.ENTER)
    page.until(HOLDING)
    page.script(END_PAUSES)
    page.until("answers === requests")
    assert page.content("#hint-text") == ""
    page.keys(Keys.ENTER)
    page.until(f"{READY} && pauses.length === 1")
    assert "prepared" in page.text("#hint-text")
    announced = page.content("#announcement")
    assert "prepared" not in announced, "it is announced once, not in each turn"
    preparation.end()
    page.script(END_PAUSES)
    page.until("document.querySelector('.hinted')")
    assert page.content("#announcement") == page.text("#hint-text")
    assert "planner would play" in page.text("#hint-text")
    assert page.script("return requests") == 7
    check_no_errors(table, page)


def test_a_review_waits_too(table: WatchedServer) -> None:
    table.manager.preparation = preparation = Stages()
    game = ask(table, "/state")[1]["game_id"]
    play_to_the_end_by_requests(table)
    preparation.num_compiled = 1
    waiting = {"progress": 1 / FOR_REVIEWS, "review": None, "preparing": True, "compiling": True}
    assert ask(table, "/review", {"game": game}) == (200, waiting)
    assert ask(table, "/review", {"game": "0" * 16})[0] == 422
    preparation.end()
    assert "compiling" not in ask(table, "/review", {"game": game})[1]


@pytest.mark.parametrize("look", [{"calm": True}])
def test_the_page_can_be_read_while_its_table_is_prepared(page: Page, table: WatchedServer) -> None:
    manager, preparation = table.manager, Preparation()
    preparation.num_compiled = 43
    waiting = TableInPreparation(preparation)
    vars(waiting)["session"] = table.session  # whose hidden cards are looked for in answers
    table.manage(waiting)
    page.open(table.url, "document.querySelector('.preparation progress')")
    assert page.at(".preparation progress").get_property("value") == 0.5
    assert "once after installing" in page.text(".preparation")
    assert not page.at("#hand").is_displayed() and not page.at("#game").is_displayed()
    page.click("#learn")
    assert page.text("#learn-title")
    keep_picture(page, "preparing the table")
    page.keys(Keys.ESCAPE)
    table.manage(manager)
    page.until(READY)
    assert page.count("#cards button") == 7 and not page.count(".preparation")
    page.keys("1")  # the focus is at the button that opened the dialog
    assert page.count("#cards [aria-checked=true]") == 1
    check_no_errors(table, page)


def test_a_table_that_cannot_be_made_ends_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mindup_play.command.compiled_table", lambda: tmp_path / "table")
    monkeypatch.setattr(Preparation, "start", lambda *_: None)
    words = ["play", "--opponents", "nobody", "--no-browser", "--data", str(tmp_path)]
    assert cli.main(words) == 2
    said = capsys.readouterr()
    assert said.out.startswith("Preparing the table: once after installing")
    assert "unknown agent 'nobody'" in said.err
