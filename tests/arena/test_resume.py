"""An arena that is interrupted and resumed has the same results as one that is not."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes import MINDUP, ROOT

BOTS = ["tests.arena.bots:Salted:salt=1,pause=0.01", "tests.arena.bots:Salted:salt=2"]
GAME = ["--players", "2", "--rounds", "1", "--deals", "350", "--seed", "5"]
CHUNKS = 4


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", MINDUP, "arena", *map(str, words)],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*words: object) -> str:
    with start(*words) as process:
        printed, errors = process.communicate()
    assert process.returncode == 0, errors
    return printed


def results(folder: Path) -> dict[str, bytes]:
    """The files that are the same in every run; ``run.json`` has the command."""
    files = [*(folder / "results").glob("*.json"), *folder.glob("report.json")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "arena"
    run(*BOTS, *GAME, "--out", folder, "--csv", folder.with_suffix(".csv"))
    assert len(results(folder)) == CHUNKS + 1
    return folder


def test_two_workers_play_as_one_does(unbroken: Path, tmp_path: Path) -> None:
    run(*BOTS, *GAME, "--out", tmp_path, "--workers", 2)
    assert results(tmp_path) == results(unbroken)


@pytest.mark.parametrize(("kept", "how"), [(2, "KILL"), (1, "INT")])
def test_a_stopped_arena_is_resumed(kept: int, how: str, unbroken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    with start(*BOTS, *GAME, "--out", folder) as process:
        while not (folder / "run.json").exists() or len(results(folder)) < kept:
            assert process.poll() is None
            time.sleep(0.005)
        if how == "INT":
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        else:
            process.kill()
        _, errors = process.communicate()
    assert kept <= len(results(folder)) < CHUNKS, "it was not stopped before the end"
    if how == "INT":
        assert process.returncode == 130
        assert f"to resume: mindup arena --resume {folder}" in errors
        assert "Traceback" not in errors
    run("--resume", folder, "--csv", tmp_path / "arena.csv")
    assert results(folder) == results(unbroken)
    assert (tmp_path / "arena.csv").read_bytes() == unbroken.with_suffix(".csv").read_bytes()


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_workers_end_with_a_killed_arena(tmp_path: Path) -> None:
    """Also one whose bot hangs, and so never looks whether the arena is still there."""
    hangs = "tests.arena.bots:Faulty:how=sleep"
    with start(hangs, BOTS[1], *GAME, "--workers", 2, "--out", tmp_path) as process:
        while len(group(process.pid)) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.5)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 20
        while left := group(process.pid):
            assert time.monotonic() < deadline, left
            time.sleep(0.01)


def group(number: int) -> list[str]:
    """The commands of the living processes of a group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            command, _, rest = stat.read_text().partition(") ")
            state, _, group_number, *_ = rest.split()
            if int(group_number) == number and state != "Z":
                found.append(command)
    return found
