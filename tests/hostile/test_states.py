"""States are put into environments as they are, or are refused and change nothing."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_env import BatchEnv, GameConfig
from mindup_env.belief import sample
from tests.envs.playing import everything, games_of, random_legal
from tests.hostile.strategies import attack, configs, odd_values, randoms, result_or_refusal

pytestmark = pytest.mark.slow

NUM_ENVS = 3
INDICES: list[Any] = [
    *([0, 0, 1], [-1, 0, 1], [0, 1, 3], [0.0, 1.0, 2.0], [True, False, 2], [[0], [1, 2]], "012"),
    *(0, None, {0, 1, 2}, [2**70, 0, 1], np.zeros((3, 1), int), b"\0\1\2", [0, 1], [2, 0, 1]),
    np.array([2**64 - 1, 0, 1], np.uint64),
]


@attack(300, config=configs, other=configs, random=randoms, indices=st.sampled_from(INDICES))
def test_a_state_is_put_at_indices_or_refused(
    config: GameConfig, other: GameConfig, random: Generator, indices: Any
) -> None:
    env = started(config, random)
    put_or_refuse(env, indices, started(config, random).get_state(range(NUM_ENVS)), random)
    put_or_refuse(env, range(NUM_ENVS), started(other, random).get_state(range(NUM_ENVS)), random)


@attack(100, config=configs, random=randoms, odd=odd_values)
def test_what_is_no_state_is_refused(config: GameConfig, random: Generator, odd: Any) -> None:
    put_or_refuse(started(config, random), range(NUM_ENVS), odd, random)


def put_or_refuse(env: BatchEnv, indices: Any, state: Any, random: Generator) -> None:
    before = games_of(env), env.keys.tolist(), everything(env.seen)
    if result_or_refusal(partial(env.set_state, indices, state)) is None:
        assert (games_of(env), env.keys.tolist(), everything(env.seen)) == before
        return
    env.step(random_legal(env.seen, random))
    assert all(len(str(game)) > 0 for game in games_of(env))


def started(config: GameConfig, random: Generator) -> BatchEnv:
    """Games somewhere in the middle; half of them were sampled there."""
    env = BatchEnv(config, NUM_ENVS, autoreset=False)
    env.reset(seed=int(random.integers(100)))
    advance(env, random)
    if random.random() < 0.5:
        view = env.seen["observation"][0, random.integers(config.num_players)]
        env.set_state(range(NUM_ENVS), sample(view, config, NUM_ENVS, random))
        advance(env, random)
    return env


def advance(env: BatchEnv, random: Generator) -> None:
    for _ in range(random.integers(env.config.num_turns + 1)):
        env.step(random_legal(env.seen, random))
