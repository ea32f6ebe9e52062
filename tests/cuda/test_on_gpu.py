"""What only a GPU can show; each test says so where there is none."""

import warnings
from itertools import product

import numpy as np
import pytest
import torch

from mindup_env import BatchEnv, GameConfig
from mindup_env.cuda import CudaBatchEnv, find_problem
from mindup_env.cuda.device import SIMULATED
from mindup_training.ppo import PPO, Settings
from tests.cuda.playing import (
    CASES,
    Case,
    assert_same,
    choose,
    flat,
    on_device,
    on_host,
    play,
)

PROBLEM = find_problem()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(PROBLEM or SIMULATED), reason=f"no GPU: {PROBLEM or 'simulated'}"),
    pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning"),
]

CONFIGS = [GameConfig(*each) for each in product(range(2, 7), range(6))]
GAMES = 100_000
ROUNDS = 100


@pytest.mark.parametrize("case", CASES)
def test_games_are_those_of_the_cpu(case: str) -> None:
    assert_same(play(CASES[case], CudaBatchEnv), play(CASES[case], BatchEnv))


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda each: f"{each.num_players}-{each.num_objectives}"
)
def test_thousands_of_games_of_each_config_are_those_of_the_cpu(config: GameConfig) -> None:
    """With the same wild actions; GAMES of all configs together."""
    case = Case(config, "0.1*margin+win", num_envs=GAMES // len(CONFIGS) + 1)
    cpu, cuda = case.make(BatchEnv), case.make(CudaBatchEnv)
    seen, _ = cpu.reset(seed=21)
    cuda.reset(seed=21)
    chance = np.random.default_rng(1)
    for _ in range(config.num_turns):
        actions = choose(seen, chance)
        seen, *expected, info = cpu.step(actions)
        found = flat(cuda.step(on_device(cuda, actions)))
        assert_same(found, flat((seen, *expected, info)))


def test_random_play_goes_on_like_that_of_the_cpu() -> None:
    """Of many games, some are also played on the CPU."""
    config, followed = GameConfig(5, 2), 100
    cuda = CudaBatchEnv(config, 65_536)
    cpu = BatchEnv(config, followed)
    cuda.reset(seed=8)
    cpu.reset(seed=8)
    for _ in range(ROUNDS):
        for _ in range(10 * config.num_turns + 1):
            actions = cpu.random_actions()
            chosen = cuda.random_actions()
            np.testing.assert_array_equal(on_host(chosen[:followed]), actions)
            cpu.step(actions)
            cuda.step(chosen)
        found, expected = (each.get_state(range(followed)) for each in (cuda, cpu))
        for name, field in expected.games._asdict().items():
            np.testing.assert_array_equal(getattr(found.games, name), field, name)
        np.testing.assert_array_equal(found.games.keys, expected.games.keys)


def test_too_many_games_are_refused_and_others_go_on() -> None:
    case = CASES["two"]
    for _ in range(2):
        with pytest.raises(MemoryError, match="games do not fit into the memory of the GPU"):
            CudaBatchEnv(num_envs=25_000_000)
    assert_same(play(case, CudaBatchEnv), play(case, BatchEnv))


def test_tensors_share_the_memory_of_the_games_and_a_step_waits_for_nothing() -> None:
    cuda = CudaBatchEnv(num_envs=64)
    seen, _ = cuda.reset(seed=3)
    before = seen["observation"].data_ptr()
    try:
        with warnings.catch_warnings(action="ignore"):  # of a prototype
            torch.cuda.set_sync_debug_mode("error")  # PyTorch's own waits alone
        for _ in range(30):
            seen, *_ = cuda.step(cuda.random_actions())
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert seen["observation"].is_cuda and seen["observation"].data_ptr() == before


def test_ppo_plays_and_learns_on_a_gpu() -> None:
    """The first games are those of the CPU."""
    learners = [PPO(Settings(device=device)) for device in ("cpu", "cuda")]
    first = [learner.collect_rollout().observations[0].cpu() for learner in learners]
    assert torch.equal(*first)
    assert all(np.isfinite([*learners[1].learn().values()]))
