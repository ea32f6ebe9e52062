"""``mindup watch replay``: what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from mindup_env import cli
from tests.scripted_game import scripted


def written(folder: Path, record: Any) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(record))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main(["watch", "replay", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", " is not JSON: Expecting value: line 1 column 1 (char 0)"),
        (b"[1]", ": not a record of a game"),
        (b"{}", ": not a record of a game"),
        (b'{"format": "mindup-record", "version": 9}', ": the record has version 9"),
        (b'{"format": "mindup-record", "version": 1}', ": a record must be a dict with"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_malformed_records_are_refused(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "none.json: No such file" in refused(capsys, tmp_path / "none.json")
    path = tmp_path / "file"
    path.write_bytes(content)
    error = refused(capsys, path)
    assert error.startswith(f"mindup: {path}{message}")
    assert len(error.splitlines()) == 1


def test_a_record_that_contradicts_itself_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = scripted(5).record()
    record["result"]["scores"][0] += 1
    path = written(tmp_path, record)
    assert refused(capsys, path).startswith(f"mindup: {path}: the record states scores")


def test_names_must_be_those_of_all_players(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "a game of 2 players needs 2 names, not 1" in refused(capsys, file, "--names", "A")
