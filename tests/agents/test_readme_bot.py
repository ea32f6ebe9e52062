"""The bot of one's own that the README shows."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mindup_env import GameConfig, make_agent
from tests.agents.positions import CONFIGS, stages

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def _own_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies in the current folder, as the README says."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (bot,) = [block for block in blocks if "class Bot:" in block]
    (tmp_path / "mybot.py").write_text(bot)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mybot", raising=False)


@pytest.mark.usefixtures("_own_bot")
@pytest.mark.parametrize("config", CONFIGS, ids=repr)
def test_it_plays_legal_cards(config: GameConfig) -> None:
    asked = stages(config)
    chosen = make_agent("mybot:Bot", config).act(*asked)
    assert asked.action_mask[np.arange(len(chosen)), chosen].all()
