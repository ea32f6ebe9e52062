"""Every learner trains in the same loop: it repeats, resumes, can be extended, and is told of."""

import csv
import shutil
import subprocess
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
from mindup_training import Callback, TrainingResult, dqn, ppo, read_preset, resume, train
from mindup_training.settings.presets import read_any_preset
from mindup_training.train import learner as learner_module
from mindup_training.train import progress
from mindup_training.train.checkpoint import load_last_checkpoint
from mindup_training.train.curve import plot_learning_curve
from tests.processes import ROOT
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
OWN = """
from mindup_env.settings.declaration import option, settings
from mindup_training.ppo import PPO, PPOConfig


@settings(kw_only=True)
class MineConfig(PPOConfig):
    learner: str = "mine:Mine"
    bonus: float = option("added to every reward", default=0.0, low=0, high=1)


class Mine(PPO):
    settings_class = MineConfig

    def collect_rollout(self):
        rollout = super().collect_rollout()
        rollout.rewards.add_(self.config.bonus)
        return rollout
"""


def test_a_run_leaves_a_policy_and_all_figures(learner: str, finished: Finished) -> None:
    run = finished(learner)
    result = TrainingResult(run)
    assert result.settings == settings_of(learner) and learner in repr(result)
    steps = np.arange(ROLLOUT, END + 1, ROLLOUT)
    assert result.metrics["timesteps"].tolist() == steps.tolist()
    assert all(np.isfinite(column).all() for column in result.metrics.values())
    assert result.evaluations["timesteps"].tolist() == [0, *steps]
    assert {*result.evaluations["opponent"]} == {"lowest"}
    assert result.policy.description.configs == result.settings.configs
    assert result.policy.description.about["decisions"] == str(END)
    make_agent(result.bot, result.settings.configs[0])
    kept = [int(path.stem) for path in sorted((run / "policies").iterdir())]
    assert kept == [0, ROLLOUT, 2 * ROLLOUT, 4 * ROLLOUT]
    assert len([*(run / "checkpoints").iterdir()]) == 2 * 2


def test_a_checkpoint_draws_the_learning_curve(
    learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner_module, "plot_learning_curve", plot_learning_curve)
    settings = settings_of(learner, timesteps=1, loggers=["tensorboard"])
    run = train(settings, out=tmp_path / "run", quiet=True).folder
    assert (run / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    assert [*(run / "tensorboard").iterdir()]


def test_a_seed_repeats_a_run(learner: str, finished: Finished, tmp_path: Path) -> None:
    again = train(settings_of(learner), out=tmp_path / "again", quiet=True)
    assert_same(again.folder, finished(learner))
    other = train(settings_of(learner, seed=1), out=tmp_path / "other", quiet=True)
    assert recorded(other.folder) != recorded(finished(learner))


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


def test_a_finished_run_stays_as_it_is(learner: str, finished: Finished, tmp_path: Path) -> None:
    run = Path(shutil.copytree(finished(learner), tmp_path / "run"))
    (run / "policy.safetensors").unlink()  # it is written again
    resume(run, quiet=True)
    assert policy(run) == policy(finished(learner))
    assert_same(run, finished(learner))


def test_an_extended_run_repeats_and_resumes_bit_for_bit(
    learner: str, finished: Finished, tmp_path: Path
) -> None:
    """The learning rate goes on as if the run had been that long from then on."""
    extended, again, early = (
        Path(shutil.copytree(finished(learner), tmp_path / name)) for name in "abc"
    )
    resume(extended, timesteps=2 * END, quiet=True)
    name = "train/learning_rate" if learner == "sb3" else "learning_rate"
    result = TrainingResult(extended)
    initial = result.metrics[name][0]
    steps = result.metrics["timesteps"] - ROLLOUT
    ends = np.where(steps < END, END, 2 * END)
    assert result.metrics[name] == pytest.approx(initial * (1 - steps / ends), rel=1e-4)
    interrupted_at(END + ROLLOUT, lambda: resume(again, timesteps=2 * END, quiet=True))
    resume(again, timesteps=2 * END, quiet=True)
    assert_same(again, extended)
    # It also does from a checkpoint before the extension, with the rates of that time.
    shutil.copy(extended / "run.json", early / "run.json")
    max((early / "checkpoints").glob("*.json")).unlink()
    resume(early, quiet=True)
    assert_same(early, extended)


def test_stages_change_a_run_which_resumes_bit_for_bit_in_each(
    learner: str, tmp_path: Path
) -> None:
    """A stage begins at the next rollout."""
    rate: dict[str, Any] = {"learning_rate": 1e-4, "learning_rate_schedule": "constant"}
    changes = {"ppo": rate} if learner == "sb3" else rate
    stages = [{"after": 0, "reward": "win"}, {"after": ROLLOUT + 1, **changes}]
    settings = settings_of(learner, stages=stages)
    whole = train(settings, out=tmp_path / "whole", quiet=True)
    name = "train/learning_rate" if learner == "sb3" else "learning_rate"
    found = whole.metrics[name]
    assert found[1] > found[2] == found[3] == pytest.approx(1e-4)
    assert [settings.stage_at(at) for at in (0, ROLLOUT, ROLLOUT + 1)] == [1, 1, 2]
    for timesteps in (ROLLOUT, 2 * ROLLOUT):
        run = tmp_path / str(timesteps)

        def begin(run: Path = run) -> None:
            train(settings, out=run, quiet=True)

        interrupted_at(timesteps, begin)
        resume(run, quiet=True)
        assert_same(run, whole.folder)


def test_a_policy_says_what_the_run_is_in_every_stage(tmp_path: Path) -> None:
    stages = [{"after": 0, "objectives": [2], "opponents": ["highest"]}]
    settings = settings_of("sb3", objectives=[0, 2], stages=stages, timesteps=1)
    description = train(settings, out=tmp_path / "run", quiet=True).policy.description
    assert description.configs == settings.configs and len(settings.configs) == 2
    assert description.about["opponents"] == "2:random lowest"


def test_callbacks_are_called_and_come_back_with_their_memory(
    learner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder, run = Recorder(checkpoints=3), tmp_path / "run"
    ended = train(settings_of(learner), callbacks=[recorder], out=run, quiet=True)
    assert capsys.readouterr().out == ""
    assert ended.metrics["timesteps"][-1] == 2 * ROLLOUT
    assert recorder.told[0] == ("start", run, 0)
    assert recorder.told[1] == ("checkpoint", 0, ["lowest"])
    assert recorder.told[2][:2] == ("rollout", ROLLOUT) and recorder.told[2][2]
    assert recorder.told[-1] == ("checkpoint", 2 * ROLLOUT, ["lowest"])
    before = policy(run), recorded(run)
    max((run / "checkpoints").glob("*.json")).unlink()
    again = Recorder(checkpoints=3)
    resume(run, callbacks=[again], quiet=True)
    assert (policy(run), recorded(run)) == before
    assert again.told[0] == ("start", run, ROLLOUT) and again.seen == 3
    with pytest.raises(ValueError, match=r"has the callbacks tests.*:Recorder, not none: resume"):
        resume(run, quiet=True)


def test_a_training_starts_from_trained_weights(
    learner: str, finished: Finished, tmp_path: Path
) -> None:
    start = str(finished(learner) / "policy.safetensors")
    settings = settings_of(learner, init=start, timesteps=ROLLOUT)
    result = train(settings, out=tmp_path / "run", quiet=True)
    value = TrainingResult(finished(learner)).evaluations["value"][-1]
    assert result.evaluations["value"][0] == value
    shutil.rmtree(result.folder / "checkpoints")
    before = policy(result.folder)
    resume(result.folder, quiet=True)
    assert policy(result.folder) == before


def test_minutes_end_a_run(learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=0.02)  # seconds, whenever the clock is read
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    limit = {"minutes": 0.01, "timesteps": None if learner != "sb3" else END}
    result = train(settings_of(learner, **limit), out=tmp_path / "run", quiet=True)
    name = "train/learning_rate" if learner == "sb3" else "learning_rate"
    rates = result.metrics[name].tolist()
    assert rates == sorted(rates, reverse=True) and rates[-1] < rates[0]
    if learner != "sb3":
        assert 2 <= len(result.evaluations["value"]) <= 5
    with pytest.raises(ValueError, match="limited by timesteps can be extended"):
        resume(result.folder, timesteps=10**6, quiet=True)


def test_a_logger_of_ones_own_is_told_of_everything(learner: str, tmp_path: Path) -> None:
    logger = f"tests.training.own_parts:Journal:path={tmp_path / 'journal'}"
    result = train(settings_of(learner, loggers=[logger]), out=tmp_path / "run", quiet=True)
    words = (tmp_path / "journal").read_text().split()
    assert words.count("rollout") == 4 and words.count("evaluation") == 5
    assert words[-1] == "finished" and not (result.folder / "tensorboard").exists()


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
    assert all(line.endswith(" s of training left") for line in lines[:-1])
    assert lines[-1].endswith("; training done")
    words = ["--timesteps", str(END), "--preset", preset, "--out", str(tmp_path / "b")]
    assert cli.main(["train", "--learner", learner, *words]) == 0
    assert_same(tmp_path / "b", finished(learner))


@pytest.mark.parametrize("name", ["ppo", "dqn"])
def test_a_learner_in_one_file_is_a_program(
    name: str, finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = {"ppo": ppo.main, "dqn": dqn.main}[name]
    run = tmp_path / "run"
    words = ["--players", "3", "--rounds", "2", "--hand-size", "3", "--num-envs", "10"]
    words += ["--batch-size", "64", "--opponent", "lowest", "--evaluations", "4"]
    words += ["--evaluation-deals", "2", "--widths", "16", "16", "8", "--timesteps", str(END)]
    words += ["--critic", "state"] if name == "ppo" else ["--replay-rollouts", "2"]
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


def test_a_copy_of_a_learner_runs_outside_the_package(tmp_path: Path, finished: Finished) -> None:
    shutil.copy(ppo.__file__, tmp_path / "my_ppo.py")
    preset = write_preset(tmp_path / "preset.json", "ppo", "my_ppo:PPO")

    def call(*words: str) -> None:
        command = [sys.executable, "my_ppo.py", *words]
        subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)

    call("--preset", preset, "--timesteps", str(2 * ROLLOUT), "--out", "run")
    plain = (tmp_path / "run" / "run.json").read_text()
    assert '"learner": "my_ppo:PPO"' in plain and "python my_ppo.py --preset" in plain
    call("--resume", "run", "--timesteps", str(END))
    made = load_policy(tmp_path / "run" / "policy.safetensors")
    assert made.description.about["learner"] == "my_ppo"
    rows = recorded(tmp_path / "run")
    assert rows[0] == recorded(finished("ppo"))[0] and rows[3]["timesteps"] == str(END)


def test_a_learner_of_ones_own_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Finished
) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    preset = write_preset(tmp_path / "preset.json", "ppo", "mine:Mine")
    for bonus in (0, 1):
        words = ["--preset", preset, "--bonus", str(bonus), "--out", f"run{bonus}"]
        assert cli.main(["train", "--learner", "mine:Mine", *words]) == 0
    assert_same(Path("run0"), finished("ppo"))
    assert recorded(Path("run1")) != recorded(Path("run0"))
    assert "learner mine:Mine" in Path("run1/run.json").read_text(), "the hash of its file"
    assert cli.main(["train", "--resume", "run1"]) == 0
    sys.modules.pop("mine")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner"], "--learner needs a name, such as ppo"),
        (["--learner", "pp"], "unknown learner 'pp'; did you mean ppo"),
        (["--seed", "1", "--learner", "ppo"], "--learner NAME must come first"),
        (["--learner", "ppo", "--preset", "quick"], "unknown setting"),
        (["--learner", "json:JSONDecoder"], "must be a subclass of mindup_training.Learner"),
    ],
)
def test_a_wrong_learner_is_refused(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["train", *words]) == 2
    assert said in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_settings_of_another_learner_are_refused(tmp_path: Path) -> None:
    settings = settings_of("ppo").changed({"learner": "dqn"})
    with pytest.raises(ValueError, match="learner dqn takes DQNConfig, not PPOConfig"):
        train(settings, out=tmp_path / "run", quiet=True)
    preset = write_preset(tmp_path / "preset.json", "ppo")
    with pytest.raises(ValueError, match="has settings of the learner ppo"):
        read_preset(preset)
    assert read_any_preset(preset) == settings_of("ppo")


def test_what_is_no_callback_is_refused(tmp_path: Path) -> None:
    wrong: list[Callback] = [print]  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"subclass of mindup_training.Callback, not <built-in"):
        train(settings_of("ppo"), callbacks=wrong, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_new_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    short = settings_of("ppo", timesteps=ROLLOUT, threads=0)
    trained = train(short, quiet=True)
    assert trained.folder == Path("runs/train-3p-seed0") and trained.settings.threads > 0
    with pytest.raises(ValueError, match="has a run already: resume it"):
        train(short, out=str(trained.folder), quiet=True)
    assert train(short, quiet=True).folder == Path("runs/train-3p-seed0-2")


def test_the_metrics_of_a_killed_process_are_whole(tmp_path: Path, finished: Finished) -> None:
    """SIGKILL at any moment after the first checkpoint; the run resumes bit for bit."""
    run = tmp_path / "run"
    preset = write_preset(tmp_path / "preset.json", "sb3")
    script = (
        f"from mindup_env import cli; cli.main({['train', '--preset', preset, '--out', str(run)]})"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL, cwd=ROOT)
    while not any(path.stem > "0" * 12 for path in (run / "checkpoints").glob("*.json")):
        assert process.poll() is None
    process.kill()
    process.wait()
    resume(run, quiet=True)
    assert_same(run, finished("sb3"))
    with (run / "metrics.csv").open() as file:
        assert len([*csv.DictReader(file)]) == 4, "no row is missing or there twice"


def test_an_import_loads_no_pytorch() -> None:
    modules = "mindup_training, mindup_training.command, mindup_training.train.result"
    script = f"import {modules}, sys; print('torch' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"


def test_every_registered_learner_of_this_environment_is_tested() -> None:
    names = {entry.name for entry in entry_points(group="mindup_training.learners")}
    assert names - {"rllib", "imitation"} == {*LEARNERS}, "rllib and imitation have their own"
