"""Tables at which the tests play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_play.session import Session
from tests.play.replaying import written
from tests.play.tables import SETTINGS, WatchedServer, served
from tests.scripted_game import scripted


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchedServer]:
    with served(Session(SETTINGS), tmp_path) as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())
