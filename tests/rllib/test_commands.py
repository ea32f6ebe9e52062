"""Commands of the pages on a cluster."""

import json
import shlex
from pathlib import Path

import pytest

from tests.pages import ON_RAY
from tests.rllib.commands import run


@pytest.mark.parametrize("command", sorted(ON_RAY))
def test_the_command_works(command: str, cluster: str, tmp_path: Path) -> None:
    program, *words = shlex.split(f"{command} {ON_RAY[command]}")
    assert program == "mindup"
    run(*words, "--out", tmp_path / "run", RAY_ADDRESS=cluster)  # where `auto` finds it
    arena = json.loads((tmp_path / "run" / "arena.json").read_text())
    assert arena["bots"][0]["name"].startswith("policy:")
