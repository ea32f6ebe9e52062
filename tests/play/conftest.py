"""Tables at which the tests play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_agents.play.sitting import Sitting
from tests.play.tables import SETTINGS, WatchedServer, served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchedServer]:
    with served(Sitting(SETTINGS), tmp_path) as server:
        yield server
