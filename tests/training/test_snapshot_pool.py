"""The pool of snapshots: which enter, which leave, and how many seats they play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import Policy, save_policy
from mindup_arena.estimate import Estimate
from mindup_env import BatchEnv
from mindup_env.envs.learner_tables import LearnerTables
from mindup_training.envs import EnvConfig
from mindup_training.learners.sb3.vec_env import MindUpVecEnv
from mindup_training.opponent_mix import MixedOpponents, OpponentShare
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings
from mindup_training.train.snapshot_pool import SnapshotPool
from tests.envs.bots import Recorder, choose_all
from tests.envs.playing import SHORT
from tests.training.policies import NARROW, random_policy

TURNS = SHORT.num_turns
EQUAL = 1 / SHORT.num_players


def pool_of(path: Path, pool_size: int = 3, *, on: bool = True) -> SnapshotPool:
    plain = {
        "players": SHORT.num_players,
        "objectives": [SHORT.num_objectives],
        "game": {"num_rounds": SHORT.num_rounds, "hand_size": SHORT.hand_size},
        "widths": [*NARROW],
        "self_play": {"pool_size": pool_size} if on else None,
    }
    (path / "run").mkdir()
    return SnapshotPool(RunFolder(path / "run", "train", TrainSettings().changed(plain)))


def offer(pool: SnapshotPool, timesteps: int, share: float) -> bool:
    results = {"newest_snapshot": Estimate(share, 0, 1), "oldest_snapshot": Estimate(0, 0, 1)}
    return pool.offer(random_policy(SHORT, seed=timesteps), timesteps, results)


def same(one: Policy, other: Policy) -> bool:
    return all(np.array_equal(one.tensors[name], other.tensors[name]) for name in one.tensors)


def test_a_policy_that_wins_an_equal_share_against_the_newest_enters(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    assert not pool.offer(random_policy(SHORT), 0, {}), "an untrained one is none"
    assert pool.offer(random_policy(SHORT, seed=10), 10, {}), "and then there is none to beat"
    assert not offer(pool, 20, EQUAL - 1e-6)
    assert offer(pool, 30, EQUAL)
    assert pool.taken_at == [10, 30]


def test_the_second_oldest_leaves_a_full_pool(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, 3)
    seen = []
    for timesteps in (10, 20, 30, 40, 50):
        assert offer(pool, timesteps, 1.0)
        seen.append(pool.taken_at)
    assert seen[2:] == [[10, 20, 30], [10, 30, 40], [10, 40, 50]]


def test_the_oldest_and_the_newest_are_evaluated_against(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    assert pool.evaluation_opponents() == {}
    offer(pool, 10, 1.0)
    assert list(pool.evaluation_opponents()) == ["newest_snapshot"], "which is the oldest, too"
    offer(pool, 20, 1.0)
    offer(pool, 30, 1.0)
    ends = pool.evaluation_opponents()
    assert list(ends) == ["oldest_snapshot", "newest_snapshot"]
    assert same(ends["oldest_snapshot"], random_policy(SHORT, seed=10))
    assert same(ends["newest_snapshot"], random_policy(SHORT, seed=30))


def test_a_snapshot_is_a_copy(tmp_path: Path) -> None:
    pool, policy = pool_of(tmp_path), random_policy(SHORT, seed=10)
    pool.offer(policy, 10, {})
    for tensor in policy.tensors.values():
        tensor[:] = 0
    assert same(pool.evaluation_opponents()["newest_snapshot"], random_policy(SHORT, seed=10))


def test_without_self_play_there_are_none(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, on=False)
    assert not offer(pool, 10, 1.0) and not pool.taken_at
    assert not (tmp_path / "run" / "snapshots").exists()


def test_a_missing_snapshot_is_an_error(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    offer(pool, 10, 1.0)
    assert SnapshotPool(pool._folder, [10]).taken_at == [10]
    with pytest.raises(ValueError, match=r"policy file .*snapshots.000000000020.* does not exist"):
        SnapshotPool(pool._folder, [10, 20])


def asked(bots: Sequence[Recorder]) -> list[int]:
    """How many seats each had in the last step."""
    return [len(bot.asked[-1].random_bits) if bot.asked else 0 for bot in bots]


def test_snapshots_play_their_share_of_the_seats_and_bots_the_others() -> None:
    bots, snapshots = [Recorder(SHORT) for _ in range(2)], [Recorder(SHORT) for _ in range(3)]
    mix = MixedOpponents(SHORT, bots, [3.0, 1.0], 1000)
    tables = LearnerTables(BatchEnv(SHORT, 1000, illegal_action="raise"), mix, "random")

    def seats(*of: Recorder) -> list[int]:
        for bot in of:
            bot.asked.clear()
        tables.step(choose_all(tables.reset(1)["action_mask"]))
        return asked(of)

    for present in (snapshots[:1], snapshots, snapshots[1:]):
        mix.set_snapshots(present, 0.4)
        found = seats(*bots, *snapshots)
        each = {id(snapshot): 800 / len(present) for snapshot in present}
        expected = [900.0, 300.0, *(each.get(id(snapshot), 0) for snapshot in snapshots)]
        assert sum(found) == 2000
        assert (np.abs(np.subtract(found, expected)) <= 4 * np.sqrt(expected)).all()
    mix.set_snapshots(snapshots[:1], 1.0)
    assert seats(*bots, *snapshots) == [0, 0, 2000, 0, 0]


def tables(opponent: str = "lowest") -> MindUpVecEnv:
    return MindUpVecEnv(
        EnvConfig((SHORT,), (OpponentShare(1, opponent),), "margin", "plain-1", 40), 3
    )


def told(env: MindUpVecEnv, games: int = 2) -> list[Any]:
    """All that a learner who plays the lowest card is told in some games."""
    return [
        array
        for _ in range(games * TURNS)
        for array in env.step(env.action_masks().argmax(axis=1))[:2]
    ]


def same_arrays(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(*both) for both in zip(one, other, strict=True))


def test_snapshots_play_the_game_that_is_dealt_already() -> None:
    """A resumed run deals it anew, with the snapshots in their seats from the start."""
    policies = [random_policy(SHORT, seed=seed) for seed in (1, 2)]
    uninterrupted, resumed, without = tables(), tables(), tables()
    for env in (uninterrupted, without):
        env.reset()
        told(env)
    uninterrupted.set_snapshots(policies, 0.5)
    resumed.set_snapshots(policies, 0.5)
    resumed.episode = uninterrupted.episode - 1
    resumed.reset()
    first, again, other = (told(env) for env in (uninterrupted, resumed, without))
    assert same_arrays(first, again) and not same_arrays(first, other)


def test_a_snapshot_samples_its_cards(tmp_path: Path) -> None:
    policy = random_policy(SHORT, seed=1)
    save_policy(policy, path := tmp_path / "policy.safetensors")
    env = tables()
    env.set_snapshots([policy], 1.0)
    drawing, best = tables(f"policy:{path},temperature=1"), tables(f"policy:{path}")
    for each in (env, drawing, best):
        each.reset()
    assert same_arrays(told(env), told(drawing))
    assert not same_arrays(told(env), told(best))
