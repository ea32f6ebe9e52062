"""Games that are served, a browser and a review for the tests.

A test that takes ``page`` has the game of ``table`` open in a browser. It is another game, some
turns into it, of another size, or with motion, if the test is parametrised by ``settings``,
``turns``, ``size`` or ``look``, which are options of ``tab``.
"""

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mindup_agents.review import GameReview, review_game
from mindup_play.bots import wait_for_background
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play import bots
from tests.play.page import there
from tests.play.tables import SETTINGS, Table, play_to, table_of
from tests.review.games import finished_session
from tools.browser import DESKTOP, IDLE, NoBrowserError, Size, started, tab

FULL = "No space left on device"
NEEDED = "MINDUP_NEEDS_BROWSER"
"""Where this variable is set, tests of pages fail instead of being skipped."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process; each test opens a page of its own."""
    try:
        with started() as browser:
            yield browser
    except NoBrowserError as error:
        if os.environ.get(NEEDED):
            pytest.fail(f"{error}, and {NEEDED} is set")
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def _slow_bots_wait_and_all_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a new machine, commands would prepare the table and hints first."""
    bots.go_on.set()
    wait_for_background(bots.PATIENCE)  # bots of an earlier test do not count as waiting in this
    bots.go_on.clear()
    while bots.waiting.acquire(blocking=False):
        pass
    monkeypatch.setattr("mindup_play.preparation.missing_mark", lambda _: None)


@pytest.fixture
def settings() -> PlaySettings:
    return SETTINGS


@pytest.fixture
def turns() -> int:
    return 0


@pytest.fixture
def table(tmp_path: Path, settings: PlaySettings, turns: int) -> Iterator[Table]:
    with table_of(play_to(Session(settings), turns), tmp_path) as table:
        yield table


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Its ``undo`` makes room again."""

    def write_text(*_: object) -> None:
        raise OSError(errno.ENOSPC, FULL)

    monkeypatch.setattr("mindup_play.saved.write_text", write_text)
    return monkeypatch


@pytest.fixture
def size() -> Size:
    return DESKTOP


@pytest.fixture
def look() -> dict[str, Any]:
    return {}


@pytest.fixture
def page(chromium: Browser, table: Table, size: Size, look: dict[str, Any]) -> Iterator[Page]:
    with tab(chromium, size, **look) as page:
        page.goto(table.url)
        there(page, IDLE)
        yield page


@pytest.fixture(scope="session")
def record() -> dict[str, Any]:
    """A game of four."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to(Session(settings)).record()))
    return plain


@pytest.fixture(scope="session")
def reviewed() -> GameReview:
    """The review of the game of ``finished_session``."""
    return review_game(finished_session().games, worlds=40)
