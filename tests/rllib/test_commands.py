"""Commands on a cluster: those of the pages, and experiments, which end as on one machine."""

import json
import shlex
from pathlib import Path

import pytest

from tests.pages import ON_RAY
from tests.rllib.commands import run
from tests.training.experiment.experiments import PRESET


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(PRESET)
    return path


def test_it_ends_as_on_one_machine(cluster: str, preset: Path, tmp_path: Path) -> None:
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    words = ["experiment", "run", preset, "--seeds", "2", "--evaluation-deals", "2", "--out"]
    run(*words, alone, "--workers", "2")
    said = run(*words, spread, "--ray", cluster)
    assert "tiny, seed 1: final win share in % against" in said
    reports = [json.loads((folder / "report.json").read_text()) for folder in (alone, spread)]
    assert reports[0]["entries"][0]["scores"] == reports[1]["entries"][0]["scores"]
    again = run("experiment", "run", "--resume", spread, "--ray", cluster)
    assert "2 runs, 0 to do" in again, "they are kept"


def test_a_run_that_fails_is_reported(cluster: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("raise SystemExit('out of luck')")
    (tmp_path / "wrong.toml").write_text(
        f"evaluate_against = ['random']\nentries.wrong.command = 'python {tmp_path}/wrong.py "
        "{seed} {out}'"
    )
    words = [
        "experiment",
        "run",
        tmp_path / "wrong.toml",
        "--seeds",
        "1",
        "--out",
        tmp_path / "out",
    ]
    said = run(*words, "--ray", cluster, status=2)
    assert "wrong, seed 0: failed with exit status 1" in said and "out of luck" in said


@pytest.mark.parametrize("command", sorted(ON_RAY))
def test_the_command_works(command: str, cluster: str, tmp_path: Path) -> None:
    program, *words = shlex.split(f"{command} {ON_RAY[command]}")
    assert program == "mindup"
    run(*words, "--out", tmp_path / "run", RAY_ADDRESS=cluster)  # where `auto` finds it
    arena = json.loads((tmp_path / "run" / "arena.json").read_text())
    assert arena["bots"][0]["name"].startswith("policy:")
