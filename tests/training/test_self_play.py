"""`mindup train --self-play`: the pool of snapshots, their evaluation, and resuming with them."""

import json
import shlex
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.policy import Policy, PolicyAgent, load_policy
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env import cli
from mindup_training import RunSettings, resume, train
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.run_folder import RunFolder
from mindup_training.settings import SNAPSHOT_RULE, SelfPlaySettings, TrainSettings
from mindup_training.trainer.checkpoint import load_last_checkpoint
from mindup_training.trainer.evaluation import evaluate
from mindup_training.trainer.snapshot_pool import SnapshotPool
from tests.envs.playing import SHORT
from tests.training.policies import random_policy
from tests.training.runs import assert_same, interrupted_at, recorded, settings_of

CHECKPOINTS = [150, 300, 450, 600]
EQUAL = 1 / SHORT.num_players
SECTION = {"snapshot_share": 0.6, "pool_size": 2}
CHANGES = {"seed": 1, "ppo": {"num_envs": 30, "batch_size": 64, "learning_rate": 2e-2}}


def settings() -> RunSettings:
    return settings_of("sb3", **CHANGES, self_play=SECTION)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(settings(), out=tmp_path_factory.mktemp("runs") / "run", quiet=True).folder


def snapshots(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run / "snapshots").iterdir()}


def shares(run: Path) -> dict[int, dict[str, float]]:
    """Of each evaluation, by its timesteps."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in read_csv_log(run / "evaluations.csv"):
        found[int(row["timesteps"])][row["opponent"]] = float(row["value"])
    return found


def assert_equal(run: Path, unbroken: Path) -> None:
    assert_same(run, unbroken)
    assert [*snapshots(run)] == [*snapshots(unbroken)]
    both = [load_last_checkpoint(each / "checkpoints") for each in (run, unbroken)]
    assert both[0] and both[1]
    assert both[0].plain["snapshots"] == both[1].plain["snapshots"]


def test_an_interrupted_run_resumes_bit_for_bit(unbroken: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    interrupted_at(300, lambda: train(settings(), out=run, quiet=True))
    begun = load_last_checkpoint(run / "checkpoints")
    assert begun is not None and begun.plain["snapshots"][0] == 150
    resume(run, quiet=True)
    assert_equal(run, unbroken)


def test_the_pool_is_that_of_the_checkpoint(unbroken: Path, tmp_path: Path) -> None:
    """Snapshots that were written after it are not played against."""
    run = Path(shutil.copytree(unbroken, tmp_path / "run"))
    (run / "checkpoints" / "000000000600.json").unlink()
    (run / "snapshots" / "000000000500.safetensors").write_bytes(b"of another run")
    resume(run, quiet=True)
    (run / "snapshots" / "000000000500.safetensors").unlink()
    assert_equal(run, unbroken)


def test_evaluations_are_against_two_snapshots_and_those_that_win_enter(unbroken: Path) -> None:
    found = shares(unbroken)
    assert list(found) == [0, *CHECKPOINTS]
    assert [*found[0]] == [*found[150]] == ["lowest"]
    assert [*found[300]] == ["lowest", "newest_snapshot"]
    assert all({"lowest", "newest_snapshot"} <= {*found[step]} for step in CHECKPOINTS[1:])
    oldest = ["oldest_snapshot" in found[step] for step in CHECKPOINTS]
    assert oldest == sorted(oldest) and oldest[-1], "from the second that entered on"
    entered = [int(name.split(".")[0]) for name in sorted(snapshots(unbroken))]
    won = [step for step in CHECKPOINTS if found[step].get("newest_snapshot", 1) >= EQUAL - 1e-5]
    assert entered == won
    last = load_last_checkpoint(unbroken / "checkpoints")
    assert last is not None and last.plain["snapshots"] == [entered[0], entered[-1]]


def test_evaluations_are_against_copies_of_the_snapshot_that_sample(unbroken: Path) -> None:
    final = load_policy(unbroken / "policy.safetensors")
    first = load_policy(unbroken / "snapshots" / "000000000150.safetensors")
    alone = settings().changed({"evaluate_against": [], "evaluation_deals": 40})
    ((name, share),) = evaluate(final, alone, {"first": first})
    parts = [
        win_share_against(
            PolicyAgent.of(final, config, 1.0),
            PolicyAgent.of(first, config, 1.0),
            config,
            20,
            2**40,
        )
        for config in alone.configs
    ]
    assert name == "first" and share.value == sum(part.value for part in parts) / 2
    same = dict(evaluate(first, alone, {"itself": first}))["itself"]
    assert same.value == pytest.approx(EQUAL), "copies win an equal share"


def test_snapshots_change_what_is_learned(unbroken: Path, tmp_path: Path) -> None:
    alone = train(settings_of("sb3", **CHANGES, timesteps=300), out=tmp_path / "run", quiet=True)
    assert not (alone.folder / "snapshots").exists()
    before, after = (
        [row["games/return"] for row in recorded(run)[:2]] for run in (alone.folder, unbroken)
    )
    assert before[0] == after[0], "until there is a snapshot, nothing is different"
    assert before[1] != after[1]


def test_the_switch_of_the_command_is_explained(
    preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["--preset", preset, "--self-play", "--timesteps", "1", "--out", str(run)]
    assert cli.main(["train", *words]) == 0
    described = json.loads((run / "run.json").read_text())
    assert shlex.split(described["command"])[-3:] == ["--timesteps", "1", "--self-play"]
    found = TrainSettings.from_dict(described["settings"])
    assert found.self_play == SelfPlaySettings() and len(snapshots(run)) == 1
    about = load_policy(run / "policy.safetensors").description.about
    assert about["opponents"] == "2:random lowest, and snapshots in 50% of the seats"
    with pytest.raises(SystemExit):
        cli.main(["train", "--help"])
    assert SNAPSHOT_RULE in " ".join(capsys.readouterr().out.split())


def pool_of(path: Path, pool_size: int | None = 3) -> SnapshotPool:
    section = {"pool_size": pool_size} if pool_size else None
    (path / "run").mkdir()
    return SnapshotPool(
        RunFolder(path / "run", "train", settings_of("sb3", objectives=2, self_play=section))
    )


def offer(pool: SnapshotPool, timesteps: int, share: float = 1.0) -> bool:
    results = {"newest_snapshot": Estimate(share, 0, 1), "oldest_snapshot": Estimate(0, 0, 1)}
    return pool.offer(random_policy(SHORT, seed=timesteps), timesteps, results)


def same(one: Policy, other: Policy) -> bool:
    return all(np.array_equal(one.tensors[name], other.tensors[name]) for name in one.tensors)


def test_a_policy_that_wins_an_equal_share_against_the_newest_enters(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    assert pool.evaluation_opponents() == {}
    assert not pool.offer(random_policy(SHORT), 0, {}), "an untrained one is none"
    first = random_policy(SHORT, seed=10)
    assert pool.offer(first, 10, {}), "and then there is none to beat"
    for tensor in first.tensors.values():
        tensor[:] = 0  # the snapshot is a copy
    assert list(pool.evaluation_opponents()) == ["newest_snapshot"], "which is the oldest, too"
    assert not offer(pool, 20, EQUAL - 1e-6)
    assert offer(pool, 30, EQUAL) and pool.taken_at == [10, 30]
    ends = pool.evaluation_opponents()
    assert list(ends) == ["oldest_snapshot", "newest_snapshot"]
    for name, seed in zip(ends, (10, 30), strict=True):
        assert same(ends[name], random_policy(SHORT, seed=seed))


def test_the_second_oldest_leaves_a_full_pool(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    seen = [pool.taken_at for timesteps in (10, 20, 30, 40, 50) if offer(pool, timesteps)]
    assert seen[2:] == [[10, 20, 30], [10, 30, 40], [10, 40, 50]]


def test_without_self_play_there_are_none(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, None)
    assert not offer(pool, 10) and not pool.taken_at
    assert not (tmp_path / "run" / "snapshots").exists()


def test_a_missing_snapshot_is_an_error(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    offer(pool, 10)
    assert SnapshotPool(pool._folder, [10]).taken_at == [10]
    with pytest.raises(ValueError, match=r"policy file .*snapshots.000000000020.* does not exist"):
        SnapshotPool(pool._folder, [10, 20])
