"""`mindup train --rllib`, on two nodes."""

import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.policy import load_policy
from mindup_env import make_agent
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.settings import TrainSettings
from mindup_training.trainer.checkpoint import load_last_checkpoint
from tests.rllib.commands import run, start, wait_until
from tests.training.runs import TIMED, policy, recorded, write_preset

ROLLOUT = 200  # 20 tables with 2 learners, of 5 turns


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("presets") / "preset.json"
    ppo = {"num_envs": 20, "batch_size": 64, "learning_rate": 2e-2}
    return Path(write_preset(path, "sb3", timesteps=800, checkpoint_every=200, ppo=ppo))


@pytest.fixture(scope="module")
def uninterrupted(preset: Path, cluster: str) -> Path:
    """Its two workers are on both nodes."""
    out = preset.with_name("uninterrupted")
    words = ["train", "--preset", preset, "--rllib", "--env-runners", 2]
    run(*words, "--ray", cluster, "--out", out)
    return out


def test_a_run_leaves_what_any_run_does(uninterrupted: Path) -> None:
    described = json.loads((uninterrupted / "run.json").read_text())
    settings = TrainSettings.from_dict(described["settings"])
    assert described["command"].endswith("--rllib --env-runners 2")
    assert settings.rllib and settings.rllib.env_runners == 2
    assert described["fingerprints"]["ray"].startswith("2.")
    rows = read_csv_log(uninterrupted / "metrics.csv")
    assert [int(row["timesteps"]) for row in rows] == [ROLLOUT * n for n in range(1, 5)]
    assert all(0 < float(row["games/win_share"]) < 1 for row in rows)
    assert all(np.isfinite(float(value)) for row in rows for value in row.values())
    rates = [float(row["train/learning_rate"]) for row in rows]
    assert rates == pytest.approx([2e-2, 1.5e-2, 1e-2, 0.5e-2])
    assert (uninterrupted / "learning_curve.png").exists() and list(
        (uninterrupted / "snapshots").iterdir()
    )
    make_agent(f"policy:{uninterrupted / 'policy.safetensors'}", settings.configs[1])


def test_all_weights_change(uninterrupted: Path) -> None:
    first = load_policy(uninterrupted / "snapshots" / "000000000200.safetensors").tensors
    last = load_policy(uninterrupted / "policy.safetensors").tensors
    assert all((first[name] != last[name]).any() for name in first)
    state = load_last_checkpoint(uninterrupted / "checkpoints")
    assert state is not None and state.plain["episode"] == 4
    numbers = {name.split(".")[1] for name in state.tensors if name.startswith("optimizer.")}
    assert len(numbers) == len(first), "the optimizer's moments are there"
    assert {path.suffix for path in (uninterrupted / "checkpoints").iterdir()} == {
        ".json",
        ".safetensors",
    }


def test_a_killed_run_resumes_bit_for_bit(
    preset: Path, uninterrupted: Path, cluster: str, tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    words = ["train", "--preset", preset, "--rllib", "--env-runners", 2, "--out", out]
    with start(*words, "--ray", cluster) as process:
        wait_until(lambda: any((out / "checkpoints").glob("*200.json")), process)
        process.kill()
    begun = load_last_checkpoint(out / "checkpoints")
    assert begun is not None and 200 <= begun.plain["timesteps"] < 800, "it was killed in time"
    run("train", "--resume", out)  # in this machine, and no longer on the cluster
    assert policy(out) == policy(uninterrupted)
    assert recorded(out) == recorded(uninterrupted)
    assert TIMED in read_csv_log(out / "metrics.csv")[0]


def test_a_killed_worker_is_replaced(preset: Path, cluster: str, tmp_path: Path) -> None:
    marks, out = tmp_path / "marks", tmp_path / "run"
    marks.mkdir()
    bot = f"tests.rllib.bots:Marked:beside={marks}/nothing,pause=0.05"
    words = ["train", "--preset", preset, "--rllib", "--opponents", bot, "--out", out]
    with start(*words, "--ray", cluster) as process:
        wait_until(lambda: any((out / "checkpoints").glob("*200.json")), process)
        ids = [int(mark.name.split("-")[0]) for mark in marks.iterdir()]
        os.kill(next(each for each in ids if each != process.pid), signal.SIGKILL)
        assert process.wait() == 0
    rows = read_csv_log(out / "metrics.csv")
    assert [int(row["timesteps"]) for row in rows] == [ROLLOUT * n for n in range(1, 5)]
    assert len(list(marks.iterdir())) > len(ids), "another took its place"


def test_an_error_of_a_bot_ends_the_run_and_is_printed(
    preset: Path, cluster: str, tmp_path: Path
) -> None:
    words = ["train", "--preset", preset, "--rllib", "--opponents", "tests.rllib.bots:Failing"]
    with start(*words, "--out", tmp_path / "run", "--ray", cluster) as process:
        said, _ = process.communicate()
    assert process.returncode != 0 and "ZeroDivisionError: one over none" in said


def test_a_copy_of_a_finished_run_stays_as_it_is(uninterrupted: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(uninterrupted, tmp_path / "copy"))
    run("train", "--resume", copy)
    assert policy(copy) == policy(uninterrupted)
