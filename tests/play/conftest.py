"""Servers, a browser and a record for the tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mindup_play.session import Session
from tests.play.browser import started
from tests.play.replaying import written
from tests.play.tables import PAGE_SETTINGS, SETTINGS, WatchedServer, served
from tests.scripted_game import scripted

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def chromium() -> Iterator["Chrome"]:
    """One browser for all tests of a process; each test opens a tab of its own."""
    with started() as chrome:
        yield chrome


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchedServer]:
    with served(Session(SETTINGS), tmp_path) as server:
        yield server


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WatchedServer]:
    """A game with objectives and hints, for a browser."""
    with served(Session(PAGE_SETTINGS), tmp_path) as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())
