"""Trainings that go on from others: stages, more timesteps, and trained weights."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import load_policy
from mindup_env import cli
from mindup_training import TrainingResult, TrainSettings, read_preset
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.train.checkpoint import load_last_checkpoint, save_checkpoint
from mindup_training.train.staged_learner import StagedLearner, open_learner
from tests.training.test_resume import PRESET, policy, recorded, resume, train

STAGES = f"""
checkpoint_every = 200
timesteps = 800
{PRESET.replace("checkpoint_every = 250", "").replace("timesteps = 1000", "")}
[self_play]

[[stages]]
after = 0
objectives = [2]
ppo = {{ ent_coef = 0.1 }}

[[stages]]
after = 350
opponents = ["highest"]
reward = "tests.training.own_parts:reward:factor=0.5"

[[stages]]
after = 600
ppo = {{ learning_rate = 0.01, epochs = 1 }}
"""
RATE = "train/learning_rate"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("presets")
    (path / "staged.toml").write_text(STAGES)
    (path / "plain.toml").write_text(f"{PRESET}\n[self_play]\n")
    return path


@pytest.fixture(scope="module")
def staged(folder: Path) -> Path:
    return train(folder / "staged.toml", folder / "staged")


@pytest.fixture(scope="module")
def finished(folder: Path) -> Path:
    return train(folder / "plain.toml", folder / "finished", "--timesteps", "400")


@pytest.fixture(scope="module")
def extended(finished: Path, folder: Path) -> Path:
    run = Path(shutil.copytree(finished, folder / "extended"))
    assert cli.main(["train", "--resume", str(run), "--timesteps", "800"]) == 0
    return run


def rates(run: Path) -> list[float]:
    return [float(row[RATE]) for row in read_csv_log(run / "metrics.csv")]


def test_a_stage_begins_at_the_next_rollout(staged: Path) -> None:
    """At 400 the stage that was to begin after 350."""
    steps = np.arange(0, 800, 100)
    initial = np.where(steps < 600, 0.001, 0.01)
    assert rates(staged) == pytest.approx(initial * (1 - steps / 800), rel=1e-4)
    settings = TrainingResult(staged).settings
    assert [settings.stage_at(timesteps) for timesteps in (0, 349, 350, 599, 600, 800)] == [
        1, 1, 2, 2, 3, 3
    ]  # fmt: skip
    first, second, third = settings.stage_settings
    assert first.objectives == (2,) and first.ppo.ent_coef == 0.1
    assert second.opponents == ("highest",) and second.objectives == settings.objectives
    assert third.ppo.epochs == 1 and third.ppo.num_envs == settings.ppo.num_envs
    found = load_policy(staged / "policy.safetensors").description
    assert [config.num_objectives for config in found.configs] == [0, 2], "it plays all games"
    code = json.loads((staged / "run.json").read_text())["code"]
    assert [*code] == ["reward tests.training.own_parts:reward:factor=0.5"]


@pytest.mark.parametrize("timesteps", [0, 200, 400, 600])
def test_a_run_with_stages_resumes_bit_for_bit(
    timesteps: int, folder: Path, staged: Path, tmp_path: Path
) -> None:
    """From a checkpoint in the middle of a stage, and from one where a stage begins."""
    run = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mindup_training.train.loop.save_checkpoint", stopping_after(timesteps))
        words = ["train", "--preset", str(folder / "staged.toml"), "--out", str(run)]
        assert cli.main(words) == 130
    resume(run)
    assert policy(run) == policy(staged)
    assert recorded(run) == recorded(staged)


def stopping_after(timesteps: int) -> Any:
    def save(folder: Path, state: Any) -> None:
        save_checkpoint(folder, state)
        if state.plain["timesteps"] >= timesteps:
            raise KeyboardInterrupt

    return save


def test_a_learner_of_stages_without_changes_learns_the_same(folder: Path) -> None:
    settings = read_preset(str(folder / "plain.toml"))
    same = {"stages": [{"after": 100, "reward": settings.reward}]}
    rates = (1.0, 0.5, 0.25)
    with open_learner(settings) as learner:
        plain = [learner.learn(remaining) for remaining in rates]
    with open_learner(settings.changed(same)) as learner:
        assert [learner.learn(remaining) for remaining in rates] == plain
        assert isinstance(learner, StagedLearner)


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ([{"after": 10}], "a stage must change some of opponents, reward, objectives, ppo"),
        ([{"reward": "win"}], "a stage must be a dict with after .*; missing: after"),
        ([{"after": 1, "features": "plain-1"}], "unknown: 'features'"),
        ([{"after": -1, "reward": "win"}], "after must be 0 to 1000000000000, not -1"),
        ([{"after": 2_000_000, "reward": "win"}], "stage 1 begins after 2000000 timesteps, but"),
        ([{"after": 5, "reward": "win"}] * 2, "stage 2 must begin after 5, not 5"),
        ([{"after": 5, "reward": "money"}], "stage 1: reward must be a sum of"),
        ([{"after": 5, "ppo": {"gama": 1}}], "stage 1: .*unknown: 'gama'"),
        ([{"after": 5, "ppo": 3}], "stage 1: ppo must be a dict"),
        ([{"after": 5, "ppo": {"num_envs": 1}}], "a stage cannot change num_envs"),
        ([{"after": 5, "objectives": [3]}], "the objectives of stage 1 must be some of 0, those"),
        (3, "stages must be a list, not 3"),
    ],
)
def test_a_wrong_stage_is_refused(stages: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TrainSettings.from_dict({"stages": stages})


def test_a_stage_whose_opponent_cannot_be_made_is_refused_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "preset.toml"
    path.write_text(PRESET + '[[stages]]\nafter = 500\nopponents = ["highst"]\n')
    assert cli.main(["train", "--preset", str(path), "--out", str(tmp_path / "run")]) == 2
    assert "unknown agent 'highst'; did you mean highest" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["preset.toml"]


def test_a_finished_run_is_extended(finished: Path, extended: Path) -> None:
    """The learning rate goes on as if the run had been that long from then on."""
    steps = np.arange(0, 800, 100)
    ends = np.where(steps < 400, 400, 800)
    assert rates(extended) == pytest.approx(0.001 * (1 - steps / ends), rel=1e-4)
    assert rates(extended)[:4] == rates(finished)
    assert recorded(extended)[:4] == recorded(finished)[:4]
    described = json.loads((extended / "run.json").read_text())
    assert described["extensions"] == [{"at": 400, "end": 400}]
    assert described["settings"]["timesteps"] == 800


def test_an_extended_run_repeats_and_resumes_bit_for_bit(
    finished: Path, extended: Path, tmp_path: Path
) -> None:
    again = Path(shutil.copytree(finished, tmp_path / "again"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mindup_training.train.loop.save_checkpoint", stopping_after(600))
        assert cli.main(["train", "--resume", str(again), "--timesteps", "800"]) == 130
    assert cli.main(["train", "--resume", str(again), "--timesteps", "800"]) == 0
    assert policy(again) == policy(extended) and recorded(again) == recorded(extended)
    # It also does from a checkpoint before the extension, with the rates of that time.
    early = Path(shutil.copytree(finished, tmp_path / "early"))
    shutil.copy(extended / "run.json", early / "run.json")
    max((early / "checkpoints").glob("*.json")).unlink()
    resume(early)
    assert policy(early) == policy(extended) and recorded(early) == recorded(extended)


@pytest.mark.parametrize(
    ("timesteps", "said"),
    [
        ("300", "timesteps must be above 400, which the run has learned from, not 300"),
        ("0", "timesteps must be 1 to 1000000000000, not 0"),
    ],
)
def test_an_extension_must_be_one(
    timesteps: str, said: str, finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "--resume", str(finished), "--timesteps", timesteps]) == 2
    assert said in capsys.readouterr().err


def test_only_a_finished_run_is_extended(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(finished, tmp_path / "run"))
    max((run / "checkpoints").glob("*.json")).unlink()
    assert cli.main(["train", "--resume", str(run), "--timesteps", "800"]) == 2
    said = capsys.readouterr().err
    assert "has learned from 300 of 400 timesteps: finish it with mindup train --resume" in said
    assert load_last_checkpoint(run / "checkpoints") is not None


def test_a_training_starts_from_trained_weights(
    folder: Path, finished: Path, tmp_path: Path
) -> None:
    start = str(finished / "policy.safetensors")
    run = train(folder / "plain.toml", tmp_path / "run", "--timesteps", "100", "--init", start)
    last = [row for row in recorded(finished) if row.get("opponent") == "lowest"][-1]
    assert TrainingResult(run).evaluations["value"][0] == float(last["value"])
    again = train(folder / "plain.toml", tmp_path / "2", "--timesteps", "100", "--init", start)
    assert policy(again) == policy(run)
    unbegun = Path(shutil.copytree(run, tmp_path / "unbegun"))
    shutil.rmtree(unbegun / "checkpoints")
    resume(unbegun)
    assert policy(unbegun) == policy(run)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--widths", "8", "8", "8"], "it has widths 16 16 8, not 8 8 8"),
        (["--features", "forecast-1"], "it has features plain-1, not forecast-1; rows Feature"),
        (["--objectives", "0"], ""),
        (["--objectives", "0", "2", "3"], "it has rows|trained for num_objectives=0 or 2, not"),
        (["--rounds", "1"], "it has rows|trained for num_rounds=2, not for num_rounds=1"),
        (["--network", "tests.training.own_parts:Net"], "it has network of the package, not"),
    ],
)
def test_a_policy_to_start_from_must_fit(
    words: list[str],
    said: str,
    folder: Path,
    finished: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = ["--init", str(finished / "policy.safetensors"), "--out", str(tmp_path / "run")]
    more = ["--timesteps", "50", *words]
    status = cli.main(["train", "--preset", str(folder / "plain.toml"), *start, *more])
    message = capsys.readouterr().err
    assert status == (2 if said else 0), message
    assert any(each in message for each in said.split("|")), message
    assert (tmp_path / "run").exists() == (not said)


def test_a_policy_to_start_from_must_be_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--init", str(tmp_path / "none"), "--out", str(tmp_path / "run")]
    assert cli.main(["train", "--preset", str(folder / "plain.toml"), *words]) == 2
    assert f"policy file {tmp_path / 'none'} does not exist" in capsys.readouterr().err
