"""Training from Python gives what the command gives."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mindup_env import cli, make_agent
from mindup_training import Callback, TrainingResult, TrainSettings, read_preset, resume, train
from tests.training.own_parts import Recorder
from tests.training.test_resume import PRESET, policy, recorded


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> TrainSettings:
    path = tmp_path_factory.mktemp("presets") / "preset.toml"
    path.write_text(PRESET)
    return read_preset(str(path))


@pytest.fixture(scope="module")
def result(settings: TrainSettings, tmp_path_factory: pytest.TempPathFactory) -> TrainingResult:
    return train(settings, out=tmp_path_factory.mktemp("runs") / "first", quiet=True)


def test_a_result_has_the_policy_and_tables(
    settings: TrainSettings, result: TrainingResult
) -> None:
    assert result.settings == settings and "first" in repr(result)
    metrics, evaluations = result.metrics, result.evaluations
    assert metrics["timesteps"].tolist() == list(range(100, 1001, 100))
    assert np.isfinite(metrics["games/return"]).all() and len(metrics["train/value_loss"]) == 10
    assert evaluations["timesteps"].tolist() == [0, 300, 500, 800, 1000]
    assert {*evaluations["opponent"]} == {"lowest"} and (evaluations["low"] >= 0).all()
    assert result.policy.description.configs == settings.configs
    assert result.policy.description.about["decisions"] == "1000"
    make_agent(result.bot, settings.configs[1])


def test_the_command_line_trains_the_same(result: TrainingResult, tmp_path: Path) -> None:
    """Its command reads the settings from the folder of the run."""
    words = ["train", "--preset", str(result.folder / "run.json"), "--out", str(tmp_path / "run")]
    assert cli.main(words) == 0
    again = TrainingResult(tmp_path / "run")
    command = result.policy.description.about["command"]
    assert command == f"mindup train --preset {result.folder / 'run.json'}"
    assert recorded(again.folder) == recorded(result.folder)
    for name, tensor in result.policy.tensors.items():
        assert np.array_equal(tensor, again.policy.tensors[name])


def test_callbacks_are_called_and_come_back_with_their_memory(
    settings: TrainSettings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder, run = Recorder(checkpoints=3), tmp_path / "run"
    ended = train(settings, callbacks=[recorder], out=run, quiet=True)
    assert capsys.readouterr().out == ""
    assert ended.metrics["timesteps"][-1] == 500
    assert recorder.told[0] == ("start", run, 0)
    assert recorder.told[1] == ("checkpoint", 0, ["lowest"])
    assert recorder.told[2][:2] == ("rollout", 100) and "games/return" in recorder.told[2][2]
    assert recorder.told[-1] == ("checkpoint", 500, ["lowest"])
    before = policy(run), recorded(run)
    max((run / "checkpoints").glob("*.json")).unlink()
    again = Recorder(checkpoints=3)
    resume(run, callbacks=[again], quiet=True)
    assert (policy(run), recorded(run)) == before
    assert again.told[0] == ("start", run, 300) and again.seen == 3
    with pytest.raises(ValueError, match=r"has the callbacks tests.*:Recorder, not none: resume"):
        resume(run, quiet=True)


def test_what_is_no_callback_is_refused(settings: TrainSettings, tmp_path: Path) -> None:
    wrong: list[Callback] = [print]  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"subclass of mindup_training.Callback, not <built-in"):
        train(settings, callbacks=wrong, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_new_folder_is_made(
    settings: TrainSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    short = settings.changed({"timesteps": 100, "threads": 0})
    trained = train(short, quiet=True)
    assert trained.folder == Path("runs/train-3p-seed0") and trained.settings.threads > 0
    with pytest.raises(ValueError, match="already exists"):
        train(short, out=str(trained.folder), quiet=True)


def test_an_import_loads_no_pytorch() -> None:
    modules = "mindup_training.api, mindup_training.train.result"
    script = f"import {modules}, sys; print('torch' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"
