"""Stepping through a recorded game at the terminal, and unreadable files."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindup_env import cli
from tests.play.replaying import refused, replay, written
from tests.processes import MINDUP
from tests.scripted_game import scripted

# Steps


def test_turn_is_the_first_turn_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = replay(capsys, file, "--all")
    assert replay(capsys, file, "--all", "--turn", 0) == whole
    later = replay(capsys, file, "--all", "--turn", 4)
    assert later.startswith("turn 4 of 5") and whole.endswith(later)
    for turn in (-1, 6):
        message = f"mindup: --turn must be 0 to 5 in this record, not {turn}\n"
        assert refused(capsys, file, "--turn", turn) == message


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        ("", [3]),
        ("\n", [3, 4]),
        ("\n\n", [3, 4, 5]),
        ("b\n\nB\n", [3, 2, 3, 2]),
        ("b\nb\nb\nb\n", [3, 2, 1, 0, 0]),
        ("q\n\n", [3]),
        ("\n\n\n\n", [3, 4, 5]),
        ("x\n \n", [3, 4]),
    ],
)
def test_steps(
    answers: str,
    shown: list[int],
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    text = replay(capsys, file, "--turn", 3)
    games = [scripted(turns) for turns in shown]
    asked = text.split("\nEnter: ")
    shown_texts = [page for page in asked if "Mind Up!" in page]
    assert len(shown_texts) == len(shown)
    for page, game in zip(shown_texts, games, strict=True):
        assert page.strip().endswith(str(game))
    assert ("unknown answer 'x'; accepted: Enter, b, q" in text) == ("x" in answers)


def test_after_the_last_turn_enter_quits(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    text = replay(capsys, file, "--turn", 4)
    assert text.index("Enter: next turn") < text.index("turn 5 of 5") < text.index("Enter: quit")


@pytest.mark.parametrize("turn", [0, 5], ids=["much", "little"])
def test_all_stops_quietly_when_the_pipe_is_closed(turn: int, file: Path) -> None:
    # Little output is written only at the end, unless the user has set PYTHONUNBUFFERED.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", MINDUP, "replay", str(file), "--all", "--turn", str(turn)]
    with subprocess.Popen(
        command, env=buffered, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == cli.BROKEN_PIPE


# Unreadable files


def test_files_that_cannot_be_read_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, tmp_path / "none.json").endswith(
        "none.json: No such file or directory\n"
    )
    assert refused(capsys, tmp_path).startswith(f"mindup: cannot read {tmp_path}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", " is not JSON: line 1, column 1: Expecting value"),
        (b"# a text", " is not JSON: line 1, column 1: Expecting value"),
        (b'{"format":\n  "mindup-record" 1}', " is not JSON: line 2, column 19: Expecting ',"),
        (b'{\n "format": "\xe9"}', " is not JSON: line 2, column 13: not a text in UTF-8"),
        (b"\xff\xfe\xfa", " is not JSON: line 1, column 3: not a text in UTF-16"),
        (b"[" * 100_000, " is not JSON: it is nested too deeply"),
        (b"9" * 5_000, " is not JSON: Exceeds the limit"),
        (b" " * 1_000_001, " is too large for the record of a game"),
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
