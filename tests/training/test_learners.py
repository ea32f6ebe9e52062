"""Both learners train in the same loop: it repeats, resumes, and takes code of a user."""

import runpy
import shutil
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import load_policy
from mindup_env import cli, make_agent
from mindup_env.report.picture import save_figure
from mindup_training import TrainingResult, ppo, resume, train
from mindup_training.settings import run_settings
from mindup_training.settings.presets import read_preset
from mindup_training.trainer import loop, progress
from mindup_training.trainer.checkpoint import load_checkpoint
from mindup_training.trainer.evaluation import draw_curve
from tests.training.own_parts import Recorder
from tests.training.runs import (
    END,
    ROLLOUT,
    assert_same,
    interrupted_at,
    policy,
    recorded,
    settings_of,
    write_preset,
)

Finished = Callable[[str], Path]
PARTS = "tests.training.own_parts"


def learning_rates(result: TrainingResult) -> Any:
    return next(each for name, each in result.metrics.items() if name.endswith("learning_rate"))


def test_a_training_that_diverges_says_so_and_keeps_its_last_policy(
    learner: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"the training diverged: after \d+ decisions, weights"):
        train(settings_of(learner, network=f"{PARTS}:Diverging"), out=tmp_path / "run", quiet=True)
    kept = load_policy(tmp_path / "run" / "policy.safetensors")
    assert kept.description.about["decisions"] == "0"


def test_a_run_leaves_a_policy_and_all_figures(learner: str, finished: Finished) -> None:
    result = TrainingResult(finished(learner))
    assert result.settings == settings_of(learner) and learner in repr(result)
    steps = np.arange(ROLLOUT, END + 1, ROLLOUT)
    assert result.metrics["timesteps"].tolist() == steps.tolist()
    assert all(np.isfinite(column).all() for column in result.metrics.values())
    assert result.evaluations["timesteps"].tolist() == [0, *steps]
    assert {*result.evaluations["opponent"]} == {"lowest"}
    assert result.policy.description.configs == (result.settings.game,)
    assert result.policy.description.about["decisions"] == str(END)
    make_agent(result.bot, result.settings.game)
    kept = [int(path.stem) for path in sorted((result.folder / "policies").iterdir())]
    assert kept == [0, *steps]


def test_the_command_trains_the_same(
    learner: str, finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    preset = write_preset(tmp_path / "preset.json", learner)
    assert cli.main(["train", "--preset", preset, "--out", str(tmp_path / "a")]) == 0
    assert_same(tmp_path / "a", finished(learner))
    said = capsys.readouterr().out
    assert f"mindup train --resume {tmp_path / 'a'}" in said
    lines = [line for line in said.splitlines() if " decisions, " in line]
    assert [line.split()[0] for line in lines] == ["0", "150", "300", "450", "600"]
    assert all(line.endswith(" s of training left") for line in lines[1:-1])
    assert lines[-1].endswith("; training done")
    words = ["--seed", "2", "--timesteps", "1", "--preset", preset, "--out", str(tmp_path / "b")]
    assert cli.main(["train", "--learner", learner, *words]) == 0
    assert recorded(tmp_path / "b")[0] != recorded(finished(learner))[0], "another seed"


@pytest.mark.parametrize("timesteps", [0, 2 * ROLLOUT, END])
def test_an_interrupted_run_resumes_bit_for_bit(
    timesteps: int, learner: str, finished: Finished, tmp_path: Path
) -> None:
    """After its end, it stays as it is."""
    run = tmp_path / "run"
    interrupted_at(timesteps, lambda: train(settings_of(learner), out=run, quiet=True))
    begun = load_checkpoint(run / "checkpoint.safetensors")
    assert begun is not None and begun.plain["timesteps"] == timesteps
    (run / "policy.safetensors").unlink()  # it is written again
    resume(run, quiet=True)
    assert_same(run, finished(learner))


def test_callbacks_are_told_of_everything_and_come_back(
    learner: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Recorder, "told", told := list[Any]())
    run, settings = (
        tmp_path / "run",
        settings_of(learner, callbacks=[f"{PARTS}:Recorder:checkpoints=3"]),
    )
    interrupted_at(ROLLOUT, lambda: train(settings, out=run, quiet=True))
    assert capsys.readouterr().out == ""
    assert told[0] == ("start", run, 0)
    assert told[1] == ("checkpoint", 0, ["lowest"])
    assert told[2][:2] == ("rollout", ROLLOUT) and told[2][2]
    assert told[3][:2] == ("checkpoint", ROLLOUT)
    told.clear()
    ended = resume(run, quiet=True)
    assert ended.metrics["timesteps"][-1] == 2 * ROLLOUT, "the third checkpoint"
    assert [each[0] for each in told] == ["start", "rollout", "checkpoint"]
    assert told[0][2] == ROLLOUT
    before = policy(run), recorded(run)
    resume(run, quiet=True)
    assert (policy(run), recorded(run)) == before, "it has ended"


def test_a_training_starts_from_trained_weights_and_draws_its_curve(
    learner: str, finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "save_figure", save_figure)
    monkeypatch.setattr(loop, "draw_curve", draw_curve)
    start = str(finished(learner) / "policy.safetensors")
    result = train(settings_of(learner, init=start, timesteps=1), out=tmp_path / "run", quiet=True)
    before = TrainingResult(finished(learner)).evaluations
    assert result.evaluations["value"][0] == before["value"][-1]
    assert (result.folder / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    (result.folder / "checkpoint.safetensors").unlink()
    first = policy(result.folder)
    resume(result.folder, quiet=True)
    assert policy(result.folder) == first


def test_minutes_end_a_run(learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=0.02)  # seconds, whenever the clock is read
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    result = train(settings_of(learner, minutes=0.01), out=tmp_path / "run", quiet=True)
    rates = learning_rates(result).tolist()
    assert rates == sorted(rates, reverse=True) and rates[-1] < rates[0]
    assert 2 <= len(result.evaluations["value"]) <= 5


def test_a_learner_in_one_file_is_a_program(
    finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["--players", "3", "--rounds", "2", "--hand-size", "3", "--num-envs", "10"]
    words += ["--batch-size", "64", "--evaluate-against", "lowest", "--evaluations", "4"]
    words += ["--evaluation-deals", "2", "--widths", "16", "16", "8", "--timesteps", str(END)]
    ppo.main([*words, "--critic", "state", "--out", str(run)])
    assert_same(run, finished("ppo"))
    ppo.main(["--resume", str(run)])
    assert_same(run, finished("ppo"))
    capsys.readouterr()
    for wrong, said in (
        (["--out", str(run)], "has a run already: resume it with --resume"),
        (["--resume", str(run), "--seed", "1"], "--resume cannot be combined with --seed"),
        (["--players", "9"], "num_players must be 2 to 6, not 9"),
        (["--minutes", "-1"], "minutes must be 0 to"),
        (["--evaluate-against", "randon"], "randon"),
    ):
        with pytest.raises(SystemExit, match="2"):
            ppo.main(wrong)
        assert said in capsys.readouterr().err


def test_a_copy_of_a_learner_runs_outside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Finished
) -> None:
    shutil.copy(ppo.__file__, tmp_path / "my_ppo.py")
    preset = write_preset(tmp_path / "preset.json", "ppo", learner="my_ppo:PPO")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["my_ppo.py", "--preset", preset, "--out", "run"])
    runpy.run_path("my_ppo.py", run_name="__main__")
    run = tmp_path / "run"
    plain = (run / "run.json").read_text()
    assert '"learner": "my_ppo:PPO"' in plain and "python my_ppo.py --preset" in plain
    assert_same(run, finished("ppo"))
    sys.modules.pop("my_ppo")


def test_settings_of_another_learner_are_refused(tmp_path: Path) -> None:
    settings = settings_of("sb3").changed({"learner": "ppo"})
    with pytest.raises(ValueError, match="learner ppo takes PPOConfig, not TrainSettings"):
        train(settings, out=tmp_path / "run", quiet=True)
    preset = write_preset(tmp_path / "preset.json", "ppo")
    assert read_preset(preset) == settings_of("ppo")
    with pytest.raises(ValueError, match="unknown learner 'pp'; did you mean ppo"):
        read_preset(write_preset(tmp_path / "wrong.json", "ppo", learner="pp"))


def test_a_new_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_settings, "usable_cores", lambda: 1)
    short = settings_of("ppo", timesteps=ROLLOUT, threads=0)
    trained = train(short, quiet=True)
    assert trained.folder == Path("runs/train-3p-seed0") and trained.settings.threads == 1
    with pytest.raises(ValueError, match="has a run already: resume it"):
        train(short, out=str(trained.folder), quiet=True)
    assert train(short, quiet=True).folder == Path("runs/train-3p-seed0-2")


def test_a_preset_is_trained_by_its_name_or_its_path(
    preset: str, unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = train(Path(preset), quiet=True)
    assert result.folder.name.startswith("preset-")
    assert recorded(result.folder) == recorded(unbroken)
    with pytest.raises(ValueError, match=r"unknown preset 'quik'; did you mean quick\?"):
        train("quik")
