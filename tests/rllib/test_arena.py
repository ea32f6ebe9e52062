"""An arena on a cluster has the results of one on a single core, even if processes are killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mindup_arena.report import FORFEITED
from mindup_env import cli
from tests.arena.test_resume import results
from tests.rllib.commands import ENVIRONMENT, run, start, wait_until

GAME = ["--players", "2", "--rounds", "1", "--deals", "800", "--seed", "5"]
CHUNKS = 8


def bots(folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    marked = f"tests.rllib.bots:Marked:beside={folder}/nothing,pause=0.1"
    return [marked, "tests.arena.bots:Salted:salt=2"]


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("marks") / "folder"


@pytest.fixture(scope="module")
def unbroken(marks: Path) -> Path:
    folder = marks.with_name("unbroken")
    run("arena", "rank", *bots(marks), *GAME, "--out", folder)
    assert len(results(folder)) == CHUNKS + 1
    return folder


def test_it_ends_as_on_one_core(cluster: str, marks: Path, unbroken: Path, tmp_path: Path) -> None:
    for mark in marks.iterdir():
        mark.unlink()
    run("arena", "rank", *bots(marks), *GAME, "--out", tmp_path, "--ray", cluster)
    assert results(tmp_path) == results(unbroken)
    # The process that checked the bots left a mark too.
    assert len({mark.name.split("-")[1] for mark in marks.iterdir()}) >= 3, "two workers played"


@pytest.mark.parametrize("whom", [0, 1], ids=["player", "its worker of Ray"])
def test_a_killed_worker_changes_nothing(
    whom: int, cluster: str, marks: Path, unbroken: Path, tmp_path: Path
) -> None:
    for mark in marks.iterdir():
        mark.unlink()
    words = ["arena", "rank", *bots(marks), *GAME, "--out", tmp_path, "--ray", cluster]
    with start(*words) as process:
        wait_until(lambda: len(results(tmp_path)) > 2, process)
        ids = [tuple(map(int, mark.name.split("-"))) for mark in marks.iterdir()]
        playing = [(own, above) for own, above in ids if process.pid not in (own, above)]
        killed = playing[0][whom]
        os.kill(killed, signal.SIGKILL)
        done = len(results(tmp_path))
        assert process.wait() == 0
    assert done < CHUNKS, "it was killed before the end"
    assert results(tmp_path) == results(unbroken)
    assert any(str(killed) not in mark.name for mark in marks.iterdir())


def test_a_bot_that_brings_its_process_down_forfeits_as_on_one_core(
    cluster: str, tmp_path: Path
) -> None:
    dying = ["tests.arena.bots:Faulty:how=die,at=2", "lowest", *GAME[:4], "--deals", "3"]
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    run("arena", "rank", *dying, "--out", alone, status=FORFEITED)
    said = run("arena", "rank", *dying, "--out", spread, "--ray", cluster, status=FORFEITED)
    assert "its process died" in " ".join(said.split())
    assert results(alone) == results(spread)


def test_a_cluster_that_is_too_small_is_told(cluster: str) -> None:
    for cpus, told in ((2, ""), (3, "has 2 cores and 3 are needed: waiting until")):
        script = (
            "from mindup_env.runs.processes import connected\n"
            f"with connected({cluster!r}, {cpus}): 0"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert told in done.stderr and ("needed" in done.stderr) == bool(told)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ray", "--workers", "2"], "--ray uses all cores of the cluster"),
        (["--ray", "127.0.0.1:1"], "no Ray cluster at '127.0.0.1:1'"),
        (["--ray", "lowest"], "'lowest' is not the address of a Ray cluster"),
    ],
)
def test_what_cannot_be_is_said(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = ["random", "highest", "--deals", "1", "--out", str(tmp_path)]
    assert cli.main(["arena", "rank", *bots, *words]) == 2
    assert said in capsys.readouterr().err
