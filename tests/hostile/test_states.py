"""A pickled state that was changed is refused in words, or holds games that can be played."""

import json
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import OFFICIAL_DECK, BatchEnv, Card, Deck, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.belief import sample
from tests.envs.playing import everything, games_of, random_legal
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile

OTHER_DECK = Deck(tuple(Card(n, colour, -points) for n, colour, points in OFFICIAL_DECK))
CONFIGS = [
    GameConfig(),
    GameConfig(2, 4, hand_size=3),
    GameConfig(3, 2, deck=OTHER_DECK),
    GameConfig(3, 1, num_rounds=1, hand_size=2),
    GameConfig(2, 0, num_rounds=4, hand_size=2),
    GameConfig(6, 5),
]
NUM_ENVS = 3
INDICES: list[Any] = [
    *([0, 0, 1], [-1, 0, 1], [0, 1, 3], [0.0, 1.0, 2.0], [True, False, 2], [[0], [1, 2]], "012"),
    *(0, None, {0, 1, 2}, [2**63, 0, 1], [2**70, 0, 1], np.zeros((3, 1), int), b"\0\1\2", [0, 1]),
    np.array([2**64 - 1, 0, 1], np.uint64),
]


def test_a_changed_state_is_refused_or_can_be_played(attempts: Attempts) -> None:
    for random in attempts:
        config = CONFIGS[random.integers(len(CONFIGS))]
        env, other = (started(config, random) for _ in range(2))
        for _ in range(40):
            attempts.inputs += 1
            state = result_or_refusal(changed(random, other.get_state(range(NUM_ENVS))))
            put_or_refuse(random, env, range(NUM_ENVS), state)
            indices = INDICES[random.integers(len(INDICES))]
            put_or_refuse(random, env, indices, other.get_state(range(NUM_ENVS)))


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


def changed(random: Generator, state: BatchState) -> Any:
    """The state from a changed pickle, as a call; in a few attempts something else."""
    if random.random() < 0.02:
        return partial(lambda value: value, ODD_VALUES[random.integers(len(ODD_VALUES))])
    load, plain = state.__reduce__()
    config, games, keys = json.loads(json.dumps(plain))
    if random.random() < 0.05:
        config = CONFIGS[random.integers(len(CONFIGS))].to_dict()
    for _ in range(random.integers(1, 3)):
        damage(random, games if random.random() < 0.9 else keys[random.integers(len(keys))])
    return partial(load, config, games, keys)


def damage(random: Generator, plain: Any) -> None:
    """Changes one entry somewhere in nested dicts and lists."""
    while True:
        names = list(plain) if isinstance(plain, dict) else list(range(len(plain)))
        if not names:
            return
        name = names[random.integers(len(names))]
        inner = plain[name]
        if not isinstance(inner, dict | list) or random.random() < 0.05:
            break
        plain = inner
    others = [inner, *(plain.values() if isinstance(plain, dict) else plain)]
    odd = ODD_VALUES[random.integers(len(ODD_VALUES))]
    near = inner + int(random.integers(-2, 3)) if isinstance(inner, int) else odd
    plain[name] = (odd, near, others[random.integers(len(others))])[random.integers(3)]
