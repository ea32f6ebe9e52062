"""`mindup train`: its folder, its ranking, and what an interruption leaves behind."""

import copy
import csv
import errno
import json
import os
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from mindup_arena import ArenaSettings
from mindup_env import GameConfig, cli, make_agent
from mindup_env.runs.files import lock_folder
from mindup_training import TrainSettings, resume
from mindup_training.launch import rank_policy
from mindup_training.run_folder import RunFolder
from mindup_training.sb3 import Sb3Learner
from mindup_training.trainer import loop
from mindup_training.trainer.checkpoint import load_checkpoint
from tests.training.runs import END, TIMED, assert_same, plain_of, policy

QUICK = ["--timesteps", "1", "--evaluation-deals", "2"]


@pytest.fixture(scope="module")
def quick(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("quick") / "run"
    words = ["--preset", preset, *QUICK, "--opponents", "3:lowest", "random", "--out", str(run)]
    assert cli.main(["train", *words, "--score-order", "2", "4", "1", "5", "3"]) == 0
    return run


def test_a_run_folder_describes_the_run(quick: Path, tmp_path: Path) -> None:
    described = json.loads((quick / "run.json").read_text())
    settings = TrainSettings.from_dict(described["settings"])
    assert settings.opponents == ("3:lowest", "random") and settings.timesteps == 1
    order = (2, 4, 1, 5, 3)
    assert settings.game == GameConfig(3, num_rounds=2, hand_size=3, score_order=order), (
        "the option changes the game of the preset"
    )
    assert described["kind"] == "train"
    with (quick / "metrics.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["timesteps"]) == 150 and float(row[TIMED]) > 0
    assert {"games/return", "games/win_share", "train/value_loss"} <= row.keys()
    make_agent(f"policy:{quick / 'policy.safetensors'}", settings.game)
    words = shlex.split(described["command"])
    assert words[:3] == ["mindup", "train", "--preset"]
    assert cli.main([*words[1:], "--out", str(tmp_path / "again")]) == 0
    assert policy(tmp_path / "again") == policy(quick), "the command repeats the run"


def test_the_policy_is_ranked_in_the_game_it_was_trained_for(
    quick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder.open(quick)
    assert rank_policy(folder) == 0
    assert "lowest" in capsys.readouterr().out
    report = json.loads((quick / "arena.json").read_text())
    assert report["settings"]["bots"] == [f"policy:{quick / 'policy.safetensors'}", "lowest"]
    assert report["settings"]["config"] == folder.settings.game.to_dict()
    assert (quick / "arena.png").read_bytes().startswith(b"\x89PNG")


def test_a_description_that_is_damaged_is_refused(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({"settings": plain["settings"]}))
    assert cli.main(["train", "--resume", str(run)]) == 2
    assert "does not describe a run" in capsys.readouterr().err


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
    (run / ".checkpoint.safetensors.0123456789abcdef").touch()
    with (run / "metrics.csv").open("a") as file:
        file.write("650,0.5")
    (run / "policy.safetensors").unlink()
    resume(run, quiet=True)
    assert_same(run, unbroken)
    assert not list(run.rglob(".*"))


def test_a_run_without_a_checkpoint_begins_again(unbroken: Path, run: Path) -> None:
    (run / "checkpoint.safetensors").unlink()
    resume(run, quiet=True)
    assert_same(run, unbroken)


def test_a_checkpoint_that_does_not_fit_is_refused(run: Path) -> None:
    path = run / "run.json"
    path.write_text(path.read_text().replace('"widths": [\n      16,', '"widths": [\n      8,'))
    with pytest.raises(ValueError, match=r"checkpoint.safetensors does not fit the learner"):
        resume(run, quiet=True)
    (run / "checkpoint.safetensors").write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"checkpoint.safetensors is damaged, or no checkpoint"):
        resume(run, quiet=True)


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
    spec = f"policy:{run / 'policy.safetensors'}"
    assert RunFolder.open(run).policy_spec == spec
    assert ArenaSettings((str(run), "greedy")).bots == (spec, "greedy"), "a run is its policy"


def test_a_checkpoint_is_tensors_and_plain_data(unbroken: Path) -> None:
    state = load_checkpoint(unbroken / "checkpoint.safetensors")
    assert state is not None
    assert state.plain["timesteps"] == END
    numbers = {name.split(".")[1] for name in state.tensors if name.startswith("optimizer.")}
    weights = [name for name in state.tensors if name.startswith("network.")]
    assert len(numbers) == len(weights) == 12
    assert all(np.isfinite(tensor.numpy()).all() for tensor in state.tensors.values())
