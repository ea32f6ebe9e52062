"""A pickled state that was changed is refused in words, or holds games that can be played."""

from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_env import BatchEnv, GameConfig
from mindup_env.belief import sample
from tests.envs.playing import everything, games_of, random_legal
from tests.hostile.strategies import (
    attack,
    odd_values,
    randoms,
    result_or_refusal,
)

CONFIGS = [
    GameConfig(),
    GameConfig(2, 4, hand_size=3),
    GameConfig(3, 2, num_cards=40),
    GameConfig(3, 1, num_rounds=1, hand_size=2),
    GameConfig(2, 0, num_rounds=4, hand_size=2),
    GameConfig(6, 5),
]
NUM_ENVS = 3
INDICES: list[Any] = [
    *([0, 0, 1], [-1, 0, 1], [0, 1, 3], [0.0, 1.0, 2.0], [True, False, 2], [[0], [1, 2]], "012"),
    *(0, None, {0, 1, 2}, [2**70, 0, 1], np.zeros((3, 1), int), b"\0\1\2", [0, 1]),
    np.array([2**64 - 1, 0, 1], np.uint64),
]


@attack(config=st.sampled_from(CONFIGS), random=randoms, data=st.data())
def test_a_state_at_odd_indices_is_refused_or_can_be_played(
    config: GameConfig, random: Generator, data: st.DataObject
) -> None:
    env, other = (started(config, random) for _ in range(2))
    for _ in range(5):
        state = other.get_state(range(NUM_ENVS))
        put_or_refuse(random, env, data.draw(st.sampled_from(INDICES)), state)
    put_or_refuse(random, env, range(NUM_ENVS), data.draw(odd_values))


def put_or_refuse(random: Generator, env: BatchEnv, indices: Any, state: Any) -> None:
    before = games_of(env), env.keys.tolist(), everything(env.seen)
    if result_or_refusal(partial(env.set_state, indices, state)) is None:
        assert (games_of(env), env.keys.tolist(), everything(env.seen)) == before
        return
    env.step(random_legal(env.seen, random))
    for game in games_of(env):
        assert len(str(game)) > 0


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
