"""What a kill, an interruption or a full disk leaves behind does no harm: a run resumes."""

import copy
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mindup_env import cli
from mindup_env.runs.files import lock_folder
from mindup_training import TrainSettings, resume
from mindup_training.learners.sb3 import Sb3Learner
from mindup_training.run_folder import RunFolder
from mindup_training.trainer import loop
from mindup_training.trainer.checkpoint import load_last_checkpoint
from tests.processes import ROOT
from tests.training.runs import END, assert_same, plain_of, policy, recorded


@pytest.fixture
def unbroken(finished: Callable[[str], Path]) -> Path:
    return finished("sb3")


@pytest.fixture
def run(unbroken: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to damage."""
    return Path(shutil.copytree(unbroken, tmp_path / "run"))


def test_a_run_that_was_resumed_before_its_first_game_resumes_again() -> None:
    settings = TrainSettings.from_dict(plain_of("sb3"))
    unbroken = Sb3Learner(settings)
    start = copy.deepcopy(unbroken.state())
    figures = [unbroken.learn(1.0), unbroken.learn(0.5)]
    resumed, resumed_again = Sb3Learner(settings), Sb3Learner(settings)
    resumed.restore(start)
    assert resumed.learn(1.0) == figures[0]
    resumed_again.restore(copy.deepcopy(resumed.state()))
    assert resumed_again.learn(0.5) == figures[1]


def test_unfinished_files_are_ignored_and_removed(unbroken: Path, run: Path) -> None:
    checkpoints = run / "checkpoints"
    kept = {path.name for path in checkpoints.iterdir()}
    last = max(checkpoints.glob("*.safetensors"))
    last.write_bytes(last.read_bytes()[:-100])
    for left in ("000000000000.safetensors", "000000000150.json", ".x.json.0123456789abcdef"):
        (checkpoints / left).touch()
    with (run / "metrics.csv").open("a") as file:
        file.write("650,0.5")
    (run / "policy.safetensors").unlink()
    resume(run, quiet=True)
    assert_same(run, unbroken)
    assert {path.name for path in checkpoints.iterdir()} == kept


def test_a_run_without_a_checkpoint_starts_again(unbroken: Path, run: Path) -> None:
    shutil.rmtree(run / "checkpoints")
    resume(run, quiet=True)
    assert policy(run) == policy(unbroken) and recorded(run) == recorded(unbroken)


def test_a_flipped_bit_in_a_checkpoint_is_found(unbroken: Path, run: Path) -> None:
    last = max((run / "checkpoints").glob("*.json"))
    last.write_text(last.read_text().replace('"episode": 4', '"episode": 5'))
    resume(run, quiet=True)
    assert_same(run, unbroken)


def test_a_checkpoint_of_another_network_is_refused(run: Path) -> None:
    path = run / "run.json"
    plain = json.loads(path.read_text())
    plain["settings"]["widths"] = [8, 8, 8]
    path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match=r"the last checkpoint in .* does not fit the learner"):
        resume(run, quiet=True)


def test_a_killed_run_resumes(tmp_path: Path, preset: str, unbroken: Path) -> None:
    """SIGKILL at any moment after the first checkpoint."""
    run = tmp_path / "run"
    words = ["train", "--preset", preset, "--out", str(run)]
    script = f"from mindup_env import cli; cli.main({words})"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL, cwd=ROOT)
    while not any(path.stem > "0" * 12 for path in (run / "checkpoints").glob("*.json")):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    resume(run, quiet=True)
    assert_same(run, unbroken)


@pytest.mark.parametrize("write", [3, 12])
def test_a_run_on_a_full_disk_says_how_to_resume(
    write: int,
    preset: str,
    unbroken: Path,
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
        assert cli.main(["train", "--preset", preset, "--out", str(run)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mindup: {run}/")
    assert line.endswith(f": No space left on device; to resume: mindup train --resume {run}")
    resume(run, quiet=True)
    assert_same(run, unbroken)
    assert not list(run.rglob(".*"))


def test_a_folder_that_vanishes_is_named(
    preset: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = tmp_path / "run"
    monkeypatch.setattr(loop, "save_checkpoint", lambda *_: shutil.rmtree(run))
    assert cli.main(["train", "--preset", preset, "--out", str(run)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mindup: {run / 'metrics.csv'}: No such file or directory; start ")


def test_a_run_that_is_being_written_is_refused(run: Path) -> None:
    with lock_folder(run):
        assert cli.main(["train", "--resume", str(run)]) == 2
    assert RunFolder.open(run).policy_spec == f"policy:{run / 'policy.safetensors'}"


def test_a_checkpoint_is_tensors_and_plain_data(unbroken: Path) -> None:
    state = load_last_checkpoint(unbroken / "checkpoints")
    assert state is not None
    assert state.plain["timesteps"] == END and state.plain["episode"] == 4
    numbers = {name.split(".")[1] for name in state.tensors if name.startswith("optimizer.")}
    weights = [name for name in state.tensors if name.startswith("network.")]
    assert len(numbers) == len(weights) == 12
    assert all(np.isfinite(tensor.numpy()).all() for tensor in state.tensors.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--timesteps", "300"], "timesteps must be above 600, which the run has learned from"),
        (["--timesteps", "0"], "timesteps must be 1 to 1000000000000, not 0"),
        (["--seed", "1"], "--resume can only be combined with --timesteps, to extend"),
        (["--out", "here"], "--resume can only be combined with --timesteps, to extend"),
    ],
)
def test_what_a_resumed_run_cannot_change(
    words: list[str], said: str, unbroken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "--resume", str(unbroken), *words]) == 2
    assert said in capsys.readouterr().err


def test_only_a_finished_run_is_extended(run: Path) -> None:
    max((run / "checkpoints").glob("*.json")).unlink()
    with pytest.raises(
        ValueError, match="has learned from 450 of 600 timesteps: finish it with mindup train"
    ):
        resume(run, timesteps=1200)
