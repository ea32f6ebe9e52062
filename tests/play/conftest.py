"""Servers, a browser and a review for the tests.

A test that takes ``page`` has the table of ``table`` open in a browser. It is another game, some
turns into it, of another size, or with motion, if the test is parametrised by ``settings``,
``turns``, ``size`` or ``look``.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mindup_agents.review import GameReview, review_game
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.bots import Slow, SlowToMake
from tests.play.page import fits, there
from tests.play.tables import PAGE_SETTINGS, SETTINGS, WatchedServer, by_requests, play_to, served
from tests.review.games import finished_session
from tools.browser import DESKTOP, IDLE, NoBrowserError, Size, started, tab

FEW_WORLDS = 40
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
def slow_bots_wait() -> None:
    """Until a test lets them go on."""
    for bot in Slow, SlowToMake:
        bot.go_on.clear()
        bot.waiting = Semaphore(0)


@pytest.fixture(autouse=True)
def the_table_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as commands know: on a new machine, they prepare it and hints first."""
    monkeypatch.setattr("mindup_play.preparation.missing_mark", lambda _: None)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchedServer]:
    with by_requests(Session(SETTINGS), tmp_path) as server:
        yield server


@pytest.fixture
def settings() -> PlaySettings:
    """A game with objectives and hints."""
    return PAGE_SETTINGS


@pytest.fixture
def turns() -> int:
    return 0


@pytest.fixture
def table(tmp_path: Path, settings: PlaySettings, turns: int) -> Iterator[WatchedServer]:
    with served(play_to(Session(settings), turns), tmp_path) as server:
        yield server


@pytest.fixture
def size() -> Size:
    return DESKTOP


@pytest.fixture
def look() -> dict[str, Any]:
    """Options of ``tab``."""
    return {}


@pytest.fixture
def page(
    chromium: Browser, table: WatchedServer, size: Size, look: dict[str, Any]
) -> Iterator[Page]:
    with tab(chromium, size, **look) as page:
        page.goto(table.url)
        there(page, IDLE)
        yield page
        assert table.exceptions == [] and fits(page)


@pytest.fixture(scope="session")
def reviewed() -> GameReview:
    """The review of the game of ``finished_session``."""
    return review_game(finished_session().games, worlds=FEW_WORLDS)
