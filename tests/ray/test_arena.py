"""An arena on a cluster has the results of one on a single core. Without Ray it is skipped."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mindup_cli
from tests.processes import MINDUP, ROOT

pytest.importorskip("ray", reason="Ray is not installed; make libraries installs it")

ENVIRONMENT = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
BOTS = ["tests.arena.bots:Salted:salt=1", "tests.arena.bots:Salted:salt=2"]
GAME = ["--game", "2p-2t", "--deals", "350", "--seed", "5"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of two nodes with a core each: what takes two workers needs both."""
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("two_nodes.py"))],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as nodes:
        assert nodes.stdin and nodes.stdout
        address = nodes.stdout.readline().strip()
        assert address, "the nodes did not start"
        yield address
        nodes.stdin.close()


def rank(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MINDUP, "arena", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def test_it_ends_as_on_one_core(cluster: str, tmp_path: Path) -> None:
    reports = []
    for name, where in (("alone", []), ("spread", ["--ray", cluster])):
        done = rank(*BOTS, *GAME, "--json", tmp_path / name, *where)
        assert done.returncode == 0, done.stderr
        reports.append(json.loads((tmp_path / name).read_text()))
    assert reports[0] == reports[1]


def test_a_bot_that_fails_ends_the_arena(cluster: str) -> None:
    done = rank("tests.arena.bots:Faulty", "lowest", *GAME, "--ray", cluster)
    assert done.returncode == 2 and "ZeroDivisionError: one over none" in done.stderr


@pytest.mark.parametrize("address", ["127.0.0.1:1", "lowest"])
def test_an_address_without_a_cluster_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mindup_cli.main(["arena", "random", "highest", "--deals", "2", "--ray", address]) == 2
    assert f"no Ray cluster at '{address}'" in capsys.readouterr().err
