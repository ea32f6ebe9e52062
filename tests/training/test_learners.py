"""Every learner trains in the same loop: it repeats, resumes, and can be extended."""

import runpy
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import load_policy
from mindup_env import cli, make_agent
from mindup_env.report.picture import save_figure
from mindup_training import (
    Learner,
    TrainingResult,
    dqn,
    nfsp,
    ppo,
    read_preset,
    resume,
    train,
)
from mindup_training.settings import run_settings
from mindup_training.settings.presets import read_any_preset
from mindup_training.trainer import progress
from mindup_training.trainer.checkpoint import load_last_checkpoint
from mindup_training.trainer.evaluation import draw_curve
from tests.training.own_parts import Recorder
from tests.training.runs import (
    END,
    LEARNERS,
    ROLLOUT,
    assert_same,
    interrupted_at,
    policy,
    recorded,
    settings_of,
    write_preset,
)

Finished = Callable[[str], Path]
SNAPSHOTS = "newest_snapshot", "oldest_snapshot"


@pytest.fixture
def run(learner: str, finished: Finished, tmp_path: Path) -> Path:
    """A copy of the finished run of a learner."""
    return Path(shutil.copytree(finished(learner), tmp_path / "run"))


def learning_rates(result: TrainingResult) -> Any:
    return next(each for name, each in result.metrics.items() if name.endswith("learning_rate"))


@pytest.mark.parametrize("learner", ["sb3", "ppo"])
def test_a_training_that_diverges_says_so_and_keeps_its_last_policy(
    learner: str, tmp_path: Path
) -> None:
    network = "tests.training.own_parts:Diverging"
    with pytest.raises(ValueError, match=r"the training diverged: after \d+ decisions, weights"):
        train(settings_of(learner, network=network), out=tmp_path / "run", quiet=True)
    kept = load_policy(tmp_path / "run" / "policy.safetensors")
    assert kept.description.about["decisions"] == "0"


def test_a_learner_that_does_not_count_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dqn.DQN, "learn", lambda _self, _remaining: {})
    with pytest.raises(ValueError, match="learner dqn must add the decisions of a rollout to its"):
        train(settings_of("dqn"), out=tmp_path / "run", quiet=True)


def test_a_run_leaves_a_policy_and_all_figures(learner: str, finished: Finished) -> None:
    result = TrainingResult(finished(learner))
    assert result.settings == settings_of(learner) and learner in repr(result)
    steps = np.arange(ROLLOUT, END + 1, ROLLOUT)
    assert result.metrics["timesteps"].tolist() == steps.tolist()
    assert all(np.isfinite(column).all() for column in result.metrics.values())
    against = result.evaluations["opponent"] == "lowest"
    assert result.evaluations["timesteps"][against].tolist() == [0, *steps]
    assert {*result.evaluations["opponent"][~against]} == {*(SNAPSHOTS if learner == "sb3" else ())}
    assert result.policy.description.configs == result.settings.configs
    assert result.policy.description.about["decisions"] == str(END)
    make_agent(result.bot, result.settings.configs[0])
    kept = [int(path.stem) for path in sorted((result.folder / "policies").iterdir())]
    assert kept == [0, ROLLOUT, 2 * ROLLOUT, 4 * ROLLOUT]
    assert len([*(result.folder / "checkpoints").iterdir()]) == 2 * 2


def test_the_command_trains_the_same(
    learner: str, finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    preset = write_preset(tmp_path / "preset.json", learner)
    assert cli.main(["train", "--preset", preset, "--out", str(tmp_path / "a")]) == 0
    assert_same(tmp_path / "a", finished(learner))
    said = capsys.readouterr().out
    assert f"mindup train --resume {tmp_path / 'a'}" in said
    lines = [line for line in said.splitlines() if " decisions, " in line and "added" not in line]
    assert [line.split()[0] for line in lines] == ["0", "150", "300", "450", "600"]
    assert all(line.endswith(" s of training left") for line in lines[1:-1])
    assert lines[-1].endswith("; training done")
    words = ["--seed", "2", "--timesteps", "1", "--preset", preset, "--out", str(tmp_path / "b")]
    assert cli.main(["train", "--learner", learner, *words]) == 0
    assert recorded(tmp_path / "b")[0] != recorded(finished(learner))[0], "another seed"


@pytest.mark.parametrize("timesteps", [0, 2 * ROLLOUT])
def test_an_interrupted_run_resumes_bit_for_bit(
    timesteps: int, learner: str, finished: Finished, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    settings = settings_of(learner)
    interrupted_at(timesteps, lambda: train(settings, out=run, quiet=True))
    begun = load_last_checkpoint(run / "checkpoints")
    assert begun is not None and begun.plain["timesteps"] == timesteps
    resume(run, quiet=True)
    assert_same(run, finished(learner))


def test_a_finished_run_stays_as_it_is(learner: str, run: Path, finished: Finished) -> None:
    (run / "policy.safetensors").unlink()  # it is written again
    resume(run, quiet=True)
    assert policy(run) == policy(finished(learner))
    assert_same(run, finished(learner))


def test_an_extended_run_repeats_and_resumes_bit_for_bit(run: Path, tmp_path: Path) -> None:
    """The learning rate goes on as if the run had been that long from then on."""
    again, early = (Path(shutil.copytree(run, tmp_path / name)) for name in ("again", "early"))
    end = END + 2 * ROLLOUT
    result = resume(run, timesteps=end, quiet=True)
    steps, rates = result.metrics["timesteps"] - ROLLOUT, learning_rates(result)
    ends = np.where(steps < END, END, end)
    assert rates == pytest.approx(rates[0] * (1 - steps / ends), rel=1e-4)
    interrupted_at(END + ROLLOUT, lambda: resume(again, timesteps=end, quiet=True))
    resume(again, timesteps=end, quiet=True)
    assert_same(again, run)
    # It also does from a checkpoint before the extension, with the rates of that time.
    shutil.copy(run / "run.json", early / "run.json")
    max((early / "checkpoints").glob("*.json")).unlink()
    resume(early, quiet=True)
    assert_same(early, run)


def test_stages_change_a_run_which_resumes_bit_for_bit_in_each(
    learner: str, tmp_path: Path
) -> None:
    """A stage begins at the next rollout."""
    rate: dict[str, Any] = {"learning_rate": 1e-4, "learning_rate_schedule": "constant"}
    changes = {"ppo": rate} if learner == "sb3" else rate
    stages = [{"after": 0, "reward": "win"}, {"after": ROLLOUT + 1, **changes}]
    settings = settings_of(learner, stages=stages)
    whole = train(settings, out=tmp_path / "whole", quiet=True)
    rates = learning_rates(whole)
    assert rates[1] > rates[2] == rates[3] == pytest.approx(1e-4)
    assert [settings.stage_at(at) for at in (0, ROLLOUT, ROLLOUT + 1)] == [1, 1, 2]
    late = Path(shutil.copytree(whole.folder, tmp_path / "late"))
    max((late / "checkpoints").glob("*.json")).unlink()  # it resumes within the second stage
    early = tmp_path / "early"
    interrupted_at(2 * ROLLOUT, lambda: train(settings, out=early, quiet=True))
    for run in (late, early):
        resume(run, quiet=True)
        assert_same(run, whole.folder)


def test_a_policy_says_what_the_run_is_in_every_stage(tmp_path: Path) -> None:
    stages = [{"after": 0, "objectives": [2], "opponents": ["highest"]}]
    settings = settings_of("sb3", stages=stages, timesteps=1)
    description = train(settings, out=tmp_path / "run", quiet=True).policy.description
    assert description.configs == settings.configs and len(settings.configs) == 2
    assert description.about["opponents"].startswith("2:random lowest, and snapshots in 60%")


def test_callbacks_are_told_of_everything_and_come_back(
    learner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder, run = Recorder(checkpoints=3), tmp_path / "run"
    ended = train(settings_of(learner), callbacks=[recorder], out=run, quiet=True)
    assert capsys.readouterr().out == ""
    assert ended.metrics["timesteps"][-1] == 2 * ROLLOUT
    assert recorder.told[0] == ("start", run, 0)
    assert recorder.told[1] == ("checkpoint", 0, ["lowest"])
    assert recorder.told[2][:2] == ("rollout", ROLLOUT) and recorder.told[2][2]
    assert recorder.told[-1][:2] == ("checkpoint", 2 * ROLLOUT)
    before = policy(run), recorded(run)
    max((run / "checkpoints").glob("*.json")).unlink()
    again = Recorder(checkpoints=3)
    resume(run, callbacks=[again], quiet=True)
    assert (policy(run), recorded(run)) == before
    assert again.told[0] == ("start", run, ROLLOUT) and again.seen == 3
    with pytest.raises(ValueError, match=r"has the callbacks tests.*:Recorder, not none: resume"):
        resume(run, quiet=True)


def test_a_training_starts_from_trained_weights_and_draws_its_curve(
    learner: str, finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plot(own: Learner, paths: Any) -> None:
        save_figure(paths.curve, draw_curve(paths, own.settings))

    monkeypatch.setattr(Learner, "plot", plot)
    start = str(finished(learner) / "policy.safetensors")
    settings = settings_of(learner, init=start, timesteps=1, loggers=["tensorboard"])
    result = train(settings, out=tmp_path / "run", quiet=True)
    before = TrainingResult(finished(learner)).evaluations
    assert result.evaluations["value"][0] == before["value"][before["opponent"] == "lowest"][-1]
    assert (result.folder / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    assert [*(result.folder / "tensorboard").iterdir()]
    shutil.rmtree(result.folder / "checkpoints")
    first = policy(result.folder)
    resume(result.folder, quiet=True)
    assert policy(result.folder) == first


def test_minutes_end_a_run(learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=0.02)  # seconds, whenever the clock is read
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    limit = {"minutes": 0.01, "timesteps": None if learner != "sb3" else END}
    result = train(settings_of(learner, **limit), out=tmp_path / "run", quiet=True)
    rates = learning_rates(result).tolist()
    assert rates == sorted(rates, reverse=True) and rates[-1] < rates[0]
    if learner != "sb3":
        assert 2 <= len(result.evaluations["value"]) <= 5
    with pytest.raises(ValueError, match="limited by timesteps can be extended"):
        resume(result.folder, timesteps=10**6, quiet=True)


@pytest.mark.parametrize("name", ["ppo", "dqn", "nfsp"])
def test_a_learner_in_one_file_is_a_program(
    name: str, finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main, own = {
        "ppo": (ppo.main, "--critic state"),
        "dqn": (dqn.main, "--replay-rollouts 2"),
        "nfsp": (nfsp.main, "--replay-rollouts 2 --anticipatory 0.5 --reservoir 200"),
    }[name]
    run = tmp_path / "run"
    words = ["--players", "3", "--rounds", "2", "--hand-size", "3", "--num-envs", "10"]
    words += ["--batch-size", "64", "--opponent", "lowest", "--evaluations", "4"]
    words += ["--evaluation-deals", "2", "--widths", "16", "16", "8", "--timesteps", str(END)]
    words += own.split()
    main([*words, "--out", str(run)])
    assert_same(run, finished(name))
    assert TrainingResult(run).policy.description.about["learner"] == f"mindup_training.{name}"
    main(["--resume", str(run), "--timesteps", str(END + 1)])
    assert TrainingResult(run).metrics["timesteps"][-1] == END + ROLLOUT
    capsys.readouterr()
    other = finished("sb3")
    for wrong, said in (
        (["--out", str(run)], "has a run already: resume it with --resume"),
        (["--resume", str(run), "--seed", "1"], "--resume can only be combined with --timesteps"),
        (["--resume", str(other)], f"{other} has a run of the learner sb3, not of {name}"),
        (["--players", "9"], "num_players must be 2 to 6, not 9"),
        (["--minutes", "0"], "minutes must be above 0 and at most"),
        (["--opponent", "randon"], "randon"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(wrong)
        assert said in capsys.readouterr().err


def test_a_copy_of_a_learner_runs_outside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Finished
) -> None:
    shutil.copy(ppo.__file__, tmp_path / "my_ppo.py")
    preset = write_preset(tmp_path / "preset.json", "ppo", learner="my_ppo:PPO")
    words = ["--preset", preset, "--timesteps", str(2 * ROLLOUT), "--out", "run"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["my_ppo.py", *words])
    runpy.run_path("my_ppo.py", run_name="__main__")
    run = tmp_path / "run"
    plain = (run / "run.json").read_text()
    assert '"learner": "my_ppo:PPO"' in plain and "python my_ppo.py --preset" in plain
    assert '"learner my_ppo:PPO"' in plain, "the hash of its file"
    resume(run, timesteps=END, quiet=True)
    assert load_policy(run / "policy.safetensors").description.about["learner"] == "my_ppo"
    rows = recorded(run)
    assert rows[0] == recorded(finished("ppo"))[0] and rows[3]["timesteps"] == str(END)
    sys.modules.pop("my_ppo")


def test_settings_of_another_learner_are_refused(tmp_path: Path) -> None:
    settings = settings_of("ppo").changed({"learner": "dqn"})
    with pytest.raises(ValueError, match="learner dqn takes DQNConfig, not PPOConfig"):
        train(settings, out=tmp_path / "run", quiet=True)
    preset = write_preset(tmp_path / "preset.json", "ppo")
    with pytest.raises(ValueError, match="has settings of the learner ppo"):
        read_preset(preset)
    assert read_any_preset(preset) == settings_of("ppo")


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


def test_every_registered_learner_of_this_environment_is_tested() -> None:
    names = {entry.name for entry in entry_points(group="mindup_training.learners")}
    assert names - {"rllib"} == {*LEARNERS}, "rllib has its own"
