"""A pickled state that was changed is refused in words, or holds games that can be played."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from tests.envs.playing import everything, games_of, random_legal
from tests.hostile.strategies import (
    attack,
    damaged_plain,
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
def test_a_changed_state_is_refused_or_can_be_played(
    config: GameConfig, random: Generator, data: st.DataObject
) -> None:
    env, other = (started(config, random) for _ in range(2))
    for _ in range(5):
        state = other.get_state(range(NUM_ENVS))
        load, plain = state.__reduce__()
        changed = data.draw(damaged_state(json.loads(json.dumps(plain))))
        put_or_refuse(random, env, range(NUM_ENVS), result_or_refusal(partial(load, *changed)))
        put_or_refuse(random, env, data.draw(st.sampled_from(INDICES)), state)
    put_or_refuse(random, env, range(NUM_ENVS), data.draw(odd_values))


def damaged_state(plain: list[Any]) -> st.SearchStrategy[list[Any]]:
    """The arguments that a pickle restores a state from; in a few examples with another config."""
    config, games, keys = plain
    same = [st.just(config)] * 9
    return st.tuples(
        st.one_of(*same, st.sampled_from([each.to_dict() for each in CONFIGS])),
        changed_entry(games) | changed_entry(games).flatmap(changed_entry),
        st.one_of(*[st.just(keys)] * 9, changed_entry(keys, changed_entry)),
    ).map(list)


def changed_entry(
    entries: list[Any], change: Callable[[Any], st.SearchStrategy[Any]] = damaged_plain
) -> st.SearchStrategy[list[Any]]:
    """A list with a change in one of its entries."""
    return st.sampled_from(range(len(entries))).flatmap(
        lambda at: change(entries[at]).map(lambda one: [*entries[:at], one, *entries[at + 1 :]])
    )


def put_or_refuse(random: Generator, env: BatchEnv, indices: Any, state: Any) -> None:
    before = games_of(env), env.keys.tolist(), everything(env.seen)
    if result_or_refusal(partial(env.set_state, indices, state)) is None:
        assert (games_of(env), env.keys.tolist(), everything(env.seen)) == before
        return
    for game in games_of(env):
        assert Game.replay(game.record()) == game
    env.step(random_legal(env.seen, random))
    for game in games_of(env):
        assert Game.replay(game.record()) == game
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
