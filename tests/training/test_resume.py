"""What an interruption or a full disk leaves behind does no harm: a run resumes bit for bit."""

import copy
import errno
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from mindup_env import cli
from mindup_env.runs.files import lock_folder
from mindup_training import read_preset
from mindup_training.learners.sb3.learner import Sb3Learner
from mindup_training.run_folder import RunFolder
from mindup_training.train import loop
from mindup_training.train.checkpoint import load_last_checkpoint
from tests.training.runs import policy, recorded, resume


@pytest.fixture
def run(uninterrupted: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to damage."""
    return Path(shutil.copytree(uninterrupted, tmp_path / "run"))


def assert_restored(run: Path, uninterrupted: Path) -> None:
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


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


def test_unfinished_files_are_ignored_and_removed(uninterrupted: Path, run: Path) -> None:
    checkpoints = run / "checkpoints"
    kept = {path.name for path in checkpoints.iterdir()}
    assert len(kept) == 2 * 2, "older ones are deleted"
    last = max(checkpoints.glob("*.safetensors"))
    last.write_bytes(last.read_bytes()[:-100])
    for left in ("000000000000.safetensors", "000000000250.json", ".x.json.0123456789abcdef"):
        (checkpoints / left).touch()
    with (run / "metrics.csv").open("a") as file:
        file.write("1100,0.5")
    (run / "policy.safetensors").unlink()
    resume(run)
    assert_restored(run, uninterrupted)
    assert {path.name for path in checkpoints.iterdir()} == kept


def test_a_run_without_a_checkpoint_starts_again(uninterrupted: Path, run: Path) -> None:
    shutil.rmtree(run / "checkpoints")
    resume(run)
    assert_restored(run, uninterrupted)


def test_a_flipped_bit_in_a_checkpoint_is_found(uninterrupted: Path, run: Path) -> None:
    last = max((run / "checkpoints").glob("*.json"))
    last.write_text(last.read_text().replace('"episode": 10', '"episode": 11'))
    resume(run)
    assert_restored(run, uninterrupted)


@pytest.mark.parametrize("write", [3, 12])
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
    assert_restored(run, uninterrupted)
    assert not list(run.rglob(".*"))


def test_a_folder_that_vanishes_is_named(
    preset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = tmp_path / "run"
    monkeypatch.setattr(loop, "save_checkpoint", lambda *_: shutil.rmtree(run))
    assert cli.main(["train", "--preset", str(preset), "--out", str(run)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mindup: {run / 'metrics.csv'}: No such file or directory; start ")


def test_a_run_that_is_being_written_is_refused(run: Path) -> None:
    with lock_folder(run):
        assert cli.main(["train", "--resume", str(run)]) == 2
    assert RunFolder.open(run).policy_spec == f"policy:{run / 'policy.safetensors'}"


def test_a_checkpoint_is_tensors_and_plain_data(uninterrupted: Path) -> None:
    state = load_last_checkpoint(uninterrupted / "checkpoints")
    assert state is not None
    assert state.plain["timesteps"] == 1000 and state.plain["episode"] == 10
    numbers = {name.split(".")[1] for name in state.tensors if name.startswith("optimizer.")}
    weights = [name for name in state.tensors if name.startswith("network.")]
    assert len(numbers) == len(weights) == 12
    assert all(np.isfinite(tensor.numpy()).all() for tensor in state.tensors.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--timesteps", "300"], "timesteps must be above 1000, which the run has learned from"),
        (["--timesteps", "0"], "timesteps must be 1 to 1000000000000, not 0"),
        (["--seed", "1"], "--resume can only be combined with --address"),
        (["--out", "here"], "--resume can only be combined with --address"),
    ],
)
def test_what_a_resumed_run_cannot_change(
    words: list[str], said: str, uninterrupted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "--resume", str(uninterrupted), *words]) == 2
    assert said in capsys.readouterr().err


def test_only_a_finished_run_is_extended(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    max((run / "checkpoints").glob("*.json")).unlink()
    assert cli.main(["train", "--resume", str(run), "--timesteps", "1200"]) == 2
    said = capsys.readouterr().err
    assert "has learned from 800 of 1000 timesteps: finish it with mindup train --resume" in said
