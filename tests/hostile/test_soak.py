"""Environments and bots that are used for long take no more memory than at first."""

import os
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, GameConfig, belief, make_agent, mindup_v0

CONFIG = GameConfig(num_players=3, num_objectives=2)
MEMORY = Path("/proc/self/statm")
MOST_GROWTH = 16 * 2**20  # bytes
NUM_GAMES = 32

Use = Callable[[Generator], None]


def batch() -> Use:
    env, bot = BatchEnv(CONFIG, NUM_GAMES), make_agent("predictor", CONFIG)

    def use(random: Generator) -> None:
        seen, _ = env.reset(int(random.integers(2**63)))
        for turn in range(CONFIG.num_turns):
            rows, masks = (seen[name].reshape(NUM_GAMES * 3, -1) for name in seen)
            bits = random.integers(2**64, size=len(rows), dtype=np.uint64)
            actions = bot.act(rows, masks, np.full(len(rows), turn == 0), bits)
            seen, *_ = env.step(actions.reshape(NUM_GAMES, 3))

    return use


def states() -> Use:
    env = BatchEnv(CONFIG, NUM_GAMES, autoreset=False)

    def use(random: Generator) -> None:
        seen, _ = env.reset(int(random.integers(2**63)))
        sampled = belief.sample(seen["observation"][0, 1], CONFIG, NUM_GAMES, random)
        env.set_state(range(NUM_GAMES), sampled)
        env.set_state([1], env.get_state([0]))
        env.set_game(2, env.game(3))

    return use


def parallel() -> Use:
    env = mindup_v0.parallel_env(num_players=3, num_objectives=2)

    def use(random: Generator) -> None:
        seen, _ = env.reset(int(random.integers(2**31)))
        while env.agents:
            seen, *_ = env.step({name: int(seen[name]["action_mask"].argmax()) for name in seen})

    return use


def gymnasium_env() -> Use:
    env = gymnasium.make("mindup_env:MindUp-v0", opponents=["planner"])

    def use(random: Generator) -> None:
        seen, _ = env.reset(seed=int(random.integers(2**31)))
        over = False
        while not over:
            seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))

    return use


@pytest.fixture
def warm() -> tuple[list[Use], int]:
    """The uses after some of each, and the memory that they take."""
    uses = [make() for make in (batch, states, parallel, gymnasium_env)]
    for number in range(20):
        for use in uses:
            use(np.random.default_rng(number))
    return uses, resident_bytes()


@pytest.mark.skipif(not MEMORY.exists(), reason="the system does not tell the memory of a process")
def test_memory_does_not_grow(warm: tuple[list[Use], int], random: Generator) -> None:
    uses, before = warm
    for use in uses:
        use(random)
    assert resident_bytes() - before < MOST_GROWTH


def resident_bytes() -> int:
    return int(MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
