"""The bot of one's own in docs/bots.md."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mindup_env import GameConfig, make_agent
from tests.agents.positions import CONFIGS, stages
from tests.pages import own_modules


@pytest.fixture
def _own_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It is a file of the current folder, as the page says."""
    monkeypatch.chdir(tmp_path)
    with own_modules(tmp_path):
        yield


@pytest.mark.usefixtures("_own_bot")
@pytest.mark.parametrize("config", CONFIGS, ids=repr)
def test_it_plays_legal_cards(config: GameConfig) -> None:
    arguments = stages(config)
    chosen = make_agent("mybot:Bot", config).act(*arguments)
    assert arguments.action_mask[np.arange(len(chosen)), chosen].all()
