"""Recorded games in files, and the output of ``mindup replay``."""

import json
from pathlib import Path
from typing import Any

import pytest

from mindup_env import cli


def written(folder: Path, record: Any) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(record))
    return path


def pages(text: str) -> list[str]:
    """The printed text by turns, the deal first."""
    return text.split("\nturn ")


def words(text: str) -> list[str]:
    """The lines, with single spaces between the words."""
    return [" ".join(line.split()) for line in text.splitlines()]


def replay(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main(["replay", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main(["replay", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err
