"""Servers, a browser and a record for the tests.

A test that takes ``page`` has the table of ``table`` open in a browser. It is of another size, or
some turns into the game, if the test is parametrised by ``size`` or ``turns``.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_agents.review import GameReview, review_game
from mindup_play.records import games_of
from mindup_play.session import Session
from tests.play.page import play_to
from tests.play.replaying import written
from tests.play.tables import PAGE_SETTINGS, SETTINGS, WatchedServer, served
from tests.review.games import finished_session
from tests.scripted_game import scripted
from tools.browser import DESKTOP, NoBrowserError, Page, Size, started, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FEW_WORLDS = 40
NEEDED = "MINDUP_NEEDS_BROWSER"
"""Where this variable is set, tests of pages fail instead of being skipped."""


@pytest.fixture(scope="session")
def chromium() -> Iterator["Chrome"]:
    """One browser for all tests of a process; each test opens a tab of its own."""
    try:
        with started() as chrome:
            yield chrome
    except NoBrowserError as error:
        if os.environ.get(NEEDED):
            pytest.fail(f"{error}, and {NEEDED} is set")
        pytest.skip(str(error))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchedServer]:
    with served(Session(SETTINGS), tmp_path) as server:
        yield server


@pytest.fixture
def turns() -> int:
    return 0


@pytest.fixture
def table(tmp_path: Path, turns: int) -> Iterator[WatchedServer]:
    """A game with objectives and hints, for a browser."""
    session = Session(PAGE_SETTINGS)
    play_to(session, turns)
    with served(session, tmp_path) as server:
        yield server


@pytest.fixture
def size() -> Size:
    return DESKTOP


@pytest.fixture
def page(chromium: "Chrome", table: WatchedServer, size: Size) -> Iterator[Page]:
    with tab(chromium, size, calm=True) as page:
        page.open_table(table)
        yield page


@pytest.fixture(scope="session")
def reviewed() -> GameReview:
    """The review of the game of ``finished_session``."""
    return review_game(games_of(finished_session().record()), worlds=FEW_WORLDS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())
