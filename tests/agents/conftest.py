"""What the tests of recorded games need."""

from pathlib import Path

import pytest

from tests.agents.replaying import written
from tests.scripted_game import scripted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())
