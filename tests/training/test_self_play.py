"""`mindup train --self-play`: the pool of snapshots, and their evaluation."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.policy import Policy, PolicyAgent, load_policy
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env import cli
from mindup_training import resume, train
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.run_folder import RunFolder
from mindup_training.settings import SNAPSHOT_RULE, SelfPlaySettings
from mindup_training.trainer.checkpoint import load_last_checkpoint
from mindup_training.trainer.evaluation import evaluate
from mindup_training.trainer.loop import SnapshotPool
from tests.envs.playing import SHORT
from tests.training.policies import random_policy
from tests.training.runs import assert_same, recorded, settings_of

CHECKPOINTS = [150, 300, 450, 600]
EQUAL = 1 / SHORT.num_players


def snapshots(run: Path) -> list[int]:
    return sorted(int(path.stem) for path in (run / "snapshots").iterdir())


def test_the_pool_is_that_of_the_checkpoint(unbroken: Path, run: Path) -> None:
    """Snapshots that were written after it are not played against."""
    (run / "checkpoints" / "000000000600.json").unlink()
    (run / "snapshots" / "000000000500.safetensors").write_bytes(b"of another run")
    resume(run, quiet=True)
    (run / "snapshots" / "000000000500.safetensors").unlink()
    assert_same(run, unbroken)
    assert snapshots(run) == snapshots(unbroken)
    ours, theirs = (load_last_checkpoint(each / "checkpoints") for each in (run, unbroken))
    assert ours and theirs and ours.plain["snapshots"] == theirs.plain["snapshots"]


def test_evaluations_are_against_two_snapshots_and_those_that_win_enter(unbroken: Path) -> None:
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in read_csv_log(unbroken / "evaluations.csv"):
        found[int(row["timesteps"])][row["opponent"]] = float(row["value"])
    assert list(found) == [0, *CHECKPOINTS]
    assert [*found[0]] == [*found[150]] == ["lowest"]
    assert [*found[300]] == ["lowest", "newest_snapshot"]
    assert all({"lowest", "newest_snapshot"} <= {*found[step]} for step in CHECKPOINTS[1:])
    oldest = ["oldest_snapshot" in found[step] for step in CHECKPOINTS]
    assert oldest == sorted(oldest) and oldest[-1], "from the second that entered on"
    won = [step for step in CHECKPOINTS if found[step].get("newest_snapshot", 1) >= EQUAL - 1e-5]
    assert snapshots(unbroken) == won
    last = load_last_checkpoint(unbroken / "checkpoints")
    assert last is not None and last.plain["snapshots"] == [won[0], won[-1]]


def test_evaluations_are_against_copies_of_the_snapshot_that_sample(unbroken: Path) -> None:
    final = load_policy(unbroken / "policy.safetensors")
    first = load_policy(unbroken / "snapshots" / "000000000150.safetensors")
    alone = settings_of("sb3", evaluate_against=[], evaluation_deals=40)
    ((name, share),) = evaluate(final, alone, {"first": first})
    parts = []
    for config in alone.configs:
        ours, theirs = (PolicyAgent.of(each, config, 1.0) for each in (final, first))
        parts.append(win_share_against(ours, theirs, config, 20, 2**40).value)
    assert name == "first" and share.value == sum(parts) / 2
    same = dict(evaluate(first, alone, {"itself": first}))["itself"]
    assert same.value == pytest.approx(EQUAL), "copies win an equal share"


def test_snapshots_change_what_is_learned(unbroken: Path, tmp_path: Path) -> None:
    settings = settings_of("sb3", self_play=None, timesteps=300)
    alone = train(settings, out=tmp_path / "run", quiet=True).folder
    assert not (alone / "snapshots").exists()
    before, after = (
        [row["games/return"] for row in recorded(run)[:2]] for run in (alone, unbroken)
    )
    assert before[0] == after[0], "until there is a snapshot, nothing is different"
    assert before[1] != after[1]


def test_the_switch_of_the_command_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert settings_of("sb3").changed({"self_play": None}).changed({"self_play": {}}).self_play == (
        SelfPlaySettings()
    )
    with pytest.raises(SystemExit):
        cli.main(["train", "--help-all"])
    assert SNAPSHOT_RULE in " ".join(capsys.readouterr().out.split())


@pytest.fixture
def pool(tmp_path: Path) -> SnapshotPool:
    settings = settings_of("sb3", objectives=2, self_play={"pool_size": 3})
    return SnapshotPool(RunFolder(tmp_path, "train", settings))


def offer(pool: SnapshotPool, timesteps: int, share: float = 1.0) -> bool:
    results = {"newest_snapshot": Estimate(share, 0, 1), "oldest_snapshot": Estimate(0, 0, 1)}
    return pool.offer(random_policy(SHORT, seed=timesteps), timesteps, results)


def same(one: Policy, other: Policy) -> bool:
    return all(np.array_equal(one.tensors[name], other.tensors[name]) for name in one.tensors)


def test_a_policy_that_wins_an_equal_share_against_the_newest_enters(pool: SnapshotPool) -> None:
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


def test_the_second_oldest_leaves_a_full_pool(pool: SnapshotPool) -> None:
    seen = [pool.taken_at for timesteps in (10, 20, 30, 40, 50) if offer(pool, timesteps)]
    assert seen[2:] == [[10, 20, 30], [10, 30, 40], [10, 40, 50]]


def test_a_missing_snapshot_is_an_error(pool: SnapshotPool) -> None:
    offer(pool, 10)
    assert SnapshotPool(pool._folder, [10]).taken_at == [10]
    with pytest.raises(ValueError, match=r"policy file .*snapshots.000000000020.* does not exist"):
        SnapshotPool(pool._folder, [10, 20])
