"""Seeded trainings repeat exactly, and killed ones resume bit for bit."""

import copy
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_env import cli
from mindup_training.learners.sb3.learner import Sb3Learner
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.settings.presets import read_preset
from mindup_training.train.checkpoint import load_last_checkpoint

PRESET = """
players = 3
objectives = [0, 2]
threads = 1
opponents = ["2:random", "lowest"]
widths = [16, 16, 8]
timesteps = 1000
checkpoint_every = 250
evaluate_against = ["lowest"]
evaluation_deals = 4

[game]
num_rounds = 2
hand_size = 3

[ppo]
num_envs = 20
batch_size = 64
"""
TIMED = "time/decisions_per_second"


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("presets") / "preset.toml"
    path.write_text(PRESET)
    return path


@pytest.fixture(scope="module")
def uninterrupted(preset: Path) -> Path:
    return train(preset, preset.parent / "uninterrupted")


@pytest.fixture
def run(uninterrupted: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to damage."""
    return Path(shutil.copytree(uninterrupted, tmp_path / "run"))


def train(preset: Path, out: Path, *more: str) -> Path:
    assert cli.main(["train", "--preset", str(preset), "--out", str(out), *more]) == 0
    return out


def resume(run: Path) -> None:
    assert cli.main(["train", "--resume", str(run)]) == 0


def policy(run: Path) -> bytes:
    return (run / "policy.safetensors").read_bytes()


def recorded(run: Path) -> list[dict[str, str]]:
    """All figures but those of the clock."""
    rows = read_csv_log(run / "metrics.csv") + read_csv_log(run / "evaluations.csv")
    return [{name: row[name] for name in row if name != TIMED} for row in rows]


def test_a_seed_repeats_a_run(preset: Path, uninterrupted: Path, tmp_path: Path) -> None:
    again = train(preset, tmp_path / "again")
    assert policy(again) == policy(uninterrupted) and recorded(again) == recorded(uninterrupted)
    other = train(preset, tmp_path / "other", "--seed", "1")
    assert policy(other) != policy(uninterrupted) and recorded(other) != recorded(uninterrupted)


def test_a_killed_run_resumes_bit_for_bit(
    preset: Path, uninterrupted: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed"
    words = ["train", "--preset", str(preset), "--out", str(killed)]
    script = f"from mindup_env import cli; cli.main({words})"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL)
    folder = killed / "checkpoints"
    while not any(path.stem > "0" * 12 for path in folder.glob("*.json")):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.wait()
    begun = load_last_checkpoint(folder)
    assert begun is not None and 0 < begun.plain["timesteps"] < 1000, "it was killed in time"
    resume(killed)
    assert policy(killed) == policy(uninterrupted)
    assert recorded(killed) == recorded(uninterrupted)
    assert len(recorded(killed)) == 1000 // 100 + 5, "no row is missing or there twice"


def test_a_run_that_was_resumed_before_its_first_game_resumes_again(preset: Path) -> None:
    settings = read_preset(str(preset))
    unbroken = Sb3Learner(settings)
    start = copy.deepcopy(unbroken.state())
    figures = [unbroken.learn(1.0), unbroken.learn(0.5)]
    resumed, resumed_again = Sb3Learner(settings), Sb3Learner(settings)
    resumed.restore(start)
    assert resumed.learn(1.0) == figures[0]
    resumed_again.restore(copy.deepcopy(resumed.state()))
    assert resumed_again.learn(0.5) == figures[1]


def test_unfinished_files_are_ignored(uninterrupted: Path, run: Path) -> None:
    checkpoints = sorted((run / "checkpoints").glob("*.safetensors"))
    assert len(checkpoints) == 2, "older ones are deleted"
    data = checkpoints[-1].read_bytes()
    checkpoints[-1].write_bytes(data[: len(data) // 2])
    with (run / "metrics.csv").open("a") as file:
        file.write("1100,0.5")
    (run / "policy.safetensors").unlink()
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


def test_a_removal_of_checkpoints_that_was_killed_is_finished(
    uninterrupted: Path, run: Path
) -> None:
    kept = {path.name for path in (run / "checkpoints").iterdir()}
    for left in ("000000000000.safetensors", "000000000250.json"):
        (run / "checkpoints" / left).touch()
    resume(run)
    assert {path.name for path in (run / "checkpoints").iterdir()} == kept
    assert policy(run) == policy(uninterrupted)


def test_a_run_without_a_checkpoint_starts_again(uninterrupted: Path, run: Path) -> None:
    shutil.rmtree(run / "checkpoints")
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


def test_run_folders_of_the_first_versions_resume(uninterrupted: Path, run: Path) -> None:
    described = json.loads((run / "run.json").read_text())
    settings = described["settings"]
    settings["inputs"] = settings.pop("features")
    del settings["first_checkpoint"], settings["ppo"]["gamma"], settings["ppo"]["max_grad_norm"]
    for old, current in (("entropy_weight", "ent_coef"), ("value_weight", "vf_coef")):
        settings["ppo"][old] = settings["ppo"].pop(current)
    (run / "run.json").write_text(json.dumps(described))
    (run / "checkpoints" / "000000001000.json").unlink()
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


@pytest.mark.parametrize("write", [3, 8, 12])
def test_a_run_on_a_full_disk_says_how_to_resume(
    write: int,
    preset: Path,
    uninterrupted: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    writes: list[int] = []

    def fill_disk(file: int) -> None:
        writes.append(file)
        if len(writes) > write:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    run = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fill_disk)
        assert cli.main(["train", "--preset", str(preset), "--out", str(run)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mindup: {run}/")
    assert line.endswith(f": No space left on device; to resume: mindup train --resume {run}")
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)
    assert not list(run.rglob(".*"))


def test_a_folder_that_vanishes_is_named(
    preset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = tmp_path / "run"

    def vanish(*_: object) -> None:
        shutil.rmtree(run)

    monkeypatch.setattr("mindup_training.train.loop.save_checkpoint", vanish)
    assert cli.main(["train", "--preset", str(preset), "--out", str(run)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"mindup: {run / 'metrics.csv'}: No such file or directory; "
        f"there is no run in {run} any more: start it again"
    )


def test_figures_that_two_processes_wrote_are_repaired(uninterrupted: Path, run: Path) -> None:
    for name in ("metrics.csv", "evaluations.csv"):
        text = (run / name).read_text()
        header, *rows = text.splitlines(keepends=True)
        (run / name).write_text(text + "".join(rows[2:4]) + header + "".join(rows[1:]) + rows[-1])
    resume(run)
    assert recorded(run) == recorded(uninterrupted)
    assert (run / "metrics.csv").read_text() == (uninterrupted / "metrics.csv").read_text()


def test_a_flipped_bit_in_a_checkpoint_is_found(uninterrupted: Path, run: Path) -> None:
    last = max((run / "checkpoints").glob("*.json"))
    last.write_text(last.read_text().replace('"episode": 10', '"episode": 11'))
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


@pytest.mark.parametrize(
    "damage", [{"timesteps": "x"}, {"random": [1]}, {"seconds": None}, {"snapshots": 3}], ids=str
)
def test_a_checkpoint_of_something_else_is_refused(
    damage: dict[str, Any], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = max((run / "checkpoints").glob("*.json"))
    plain = {**json.loads(last.read_text()), **damage}
    del plain["sha256_of_plain"]  # as in the first versions
    last.write_text(json.dumps(plain))
    assert cli.main(["train", "--resume", str(run)]) == 2
    assert f"the last checkpoint in {run / 'checkpoints'} is not one" in capsys.readouterr().err


def test_a_finished_run_stays_as_it_is(uninterrupted: Path, run: Path) -> None:
    (run / "policy.safetensors").unlink()  # it is written again
    resume(run)
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


def test_a_checkpoint_is_tensors_and_plain_data(uninterrupted: Path) -> None:
    (*_, last) = sorted((uninterrupted / "checkpoints").glob("*.json"))
    plain = json.loads(last.read_text())
    assert plain["timesteps"] == 1000 and plain["episode"] == 10
    state = load_last_checkpoint(uninterrupted / "checkpoints")
    assert state is not None
    numbers = {name.split(".")[1] for name in state.tensors if name.startswith("optimizer.")}
    weights = [name for name in state.tensors if name.startswith("network.")]
    assert len(numbers) == len(weights) == 12
    assert all(np.isfinite(tensor.numpy()).all() for tensor in state.tensors.values())
