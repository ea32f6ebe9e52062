"""`mindup train --self-play`: the snapshots of a run, their evaluation, and resuming with them."""

import json
import shlex
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_arena.match import win_share_against
from mindup_env import cli
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.settings import SNAPSHOT_RULE, SelfPlaySettings, TrainSettings
from mindup_training.train.checkpoint import load_last_checkpoint
from mindup_training.train.evaluation import evaluate
from tests.training.runs import PRESET, interrupted_at, policy, recorded, resume, train

SELF_PLAY = (
    PRESET.replace("timesteps = 1000", "timesteps = 400").replace("= 250", "= 100")
    + "learning_rate = 2e-2\n"
)
SECTION = """
[self_play]
snapshot_share = 0.6
pool_size = 2
"""
CHECKPOINTS = [100, 200, 300, 400]


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("presets") / "preset.toml"
    path.write_text(SELF_PLAY + SECTION)
    return path


@pytest.fixture(scope="module")
def uninterrupted(preset: Path) -> Path:
    return train(preset, preset.parent / "uninterrupted", "--seed", "1")


def snapshots(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run / "snapshots").iterdir()}


def shares(run: Path) -> dict[int, dict[str, float]]:
    """Of each evaluation, by its timesteps."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in read_csv_log(run / "evaluations.csv"):
        found[int(row["timesteps"])][row["opponent"]] = float(row["value"])
    return found


def assert_equal(run: Path, uninterrupted: Path) -> None:
    assert policy(run) == policy(uninterrupted)
    assert recorded(run) == recorded(uninterrupted) and snapshots(run) == snapshots(uninterrupted)
    both = [load_last_checkpoint(each / "checkpoints") for each in (run, uninterrupted)]
    assert both[0] and both[1]
    assert both[0].plain["snapshots"] == both[1].plain["snapshots"]


@pytest.mark.parametrize("timesteps", [200, 300])
def test_an_interrupted_run_resumes_bit_for_bit(
    timesteps: int, preset: Path, uninterrupted: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    words = ["train", "--preset", str(preset), "--seed", "1", "--out", str(run)]
    interrupted_at(timesteps, lambda: cli.main(words))
    begun = load_last_checkpoint(run / "checkpoints")
    assert begun is not None and begun.plain["snapshots"][0] == 100
    resume(run)
    assert_equal(run, uninterrupted)


def test_the_pool_is_that_of_the_checkpoint(uninterrupted: Path, tmp_path: Path) -> None:
    """Snapshots that were written after it are not played against."""
    run = Path(shutil.copytree(uninterrupted, tmp_path / "run"))
    (run / "checkpoints" / "000000000400.json").unlink()
    (run / "snapshots" / "000000000350.safetensors").write_bytes(b"of another run")
    resume(run)
    (run / "snapshots" / "000000000350.safetensors").unlink()
    assert_equal(run, uninterrupted)


def test_every_checkpoint_is_evaluated_against_bots_and_two_snapshots(
    uninterrupted: Path,
) -> None:
    found = shares(uninterrupted)
    assert list(found) == [0, *CHECKPOINTS]
    assert [*found[0]] == [*found[100]] == ["lowest"]
    assert [*found[200]] == ["lowest", "newest_snapshot"]
    assert all({"lowest", "newest_snapshot"} <= {*found[step]} for step in CHECKPOINTS[1:])
    oldest = ["oldest_snapshot" in found[step] for step in CHECKPOINTS]
    assert oldest == sorted(oldest) and oldest[-1], "from the second that entered on"


def test_the_snapshots_are_the_policies_that_won_an_equal_share(uninterrupted: Path) -> None:
    entered = [int(name.split(".")[0]) for name in sorted(snapshots(uninterrupted))]
    assert entered == [
        step
        for step in CHECKPOINTS
        if shares(uninterrupted)[step].get("newest_snapshot", 1) >= 1 / 3 - 1e-5
    ]
    last = load_last_checkpoint(uninterrupted / "checkpoints")
    assert last is not None and last.plain["snapshots"] == [entered[0], entered[-1]]


def test_evaluations_are_against_copies_of_the_snapshot_that_sample(
    uninterrupted: Path,
) -> None:
    final = load_policy(uninterrupted / "policy.safetensors")
    first = load_policy(uninterrupted / "snapshots" / "000000000100.safetensors")
    settings = TrainSettings.from_dict(
        json.loads((uninterrupted / "run.json").read_text())["settings"]
    )
    settings = settings.changed({"evaluate_against": [], "evaluation_deals": 40})
    ((name, share),) = evaluate(final, settings, {"first": first})
    parts = [
        win_share_against(
            PolicyAgent.of(final, config, 1.0),
            PolicyAgent.of(first, config, 1.0),
            config,
            20,
            2**40,
        )
        for config in settings.configs
    ]
    assert name == "first" and share.value == sum(part.value for part in parts) / 2
    same = dict(evaluate(first, settings, {"itself": first}))["itself"]
    assert same.value == pytest.approx(1 / 3), "copies win an equal share"


def test_snapshots_change_what_is_learned(preset: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(SELF_PLAY)
    words = ["--seed", "1", "--timesteps", "200"]
    alone = train(tmp_path / "alone.toml", tmp_path / "alone", *words)
    together = train(preset, tmp_path / "together", *words)
    assert "snapshots" not in {path.name for path in alone.iterdir()}
    before, after = (recorded(run)[:2] for run in (alone, together))
    assert before[0] == after[0], "until there is a snapshot, nothing is different"
    assert before[1] != after[1]


def test_the_switch_of_the_command_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain.toml").write_text(SELF_PLAY)
    run = train(tmp_path / "plain.toml", tmp_path / "run", "--self-play", "--timesteps", "100")
    described = json.loads((run / "run.json").read_text())
    words = shlex.split(described["command"])
    assert words[-3:] == ["--timesteps", "100", "--self-play"]
    settings = TrainSettings.from_dict(described["settings"])
    assert settings.self_play == SelfPlaySettings() and len(snapshots(run)) == 1
    about = load_policy(run / "policy.safetensors").description.about
    assert about["opponents"] == "2:random lowest, and snapshots in 50% of the seats"
    with pytest.raises(SystemExit):
        cli.main(["train", "--help"])
    assert SNAPSHOT_RULE in " ".join(capsys.readouterr().out.split())
