"""An arena on a cluster has the results of one on a single core."""

from pathlib import Path

import pytest

from mindup_env import cli
from tests.arena.test_resume import results
from tests.ray.commands import run

BOTS = ["tests.arena.bots:Salted:salt=1", "tests.arena.bots:Salted:salt=2"]
GAME = ["--players", "2", "--rounds", "1", "--deals", "350", "--seed", "5"]


def test_it_ends_as_on_one_core(cluster: str, tmp_path: Path) -> None:
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    run("arena", "rank", *BOTS, *GAME, "--out", alone)
    run("arena", "rank", *BOTS, *GAME, "--out", spread, "--ray", cluster)
    assert len(results(alone)) == 5 and results(spread) == results(alone)


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
