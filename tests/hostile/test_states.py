"""Any state that is put into a batch is refused in words, or is a game that can be played again."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
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
            state = changed(random, other.get_state(range(NUM_ENVS)))
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
    fields = {**state.games._asdict(), "keys": state.keys}
    for _ in range(random.integers(1, 3)):
        name = list(fields)[random.integers(len(fields))]
        fields[name] = changed_field(random, fields[name])
    keys = fields.pop("keys")
    config = state.config
    if random.random() < 0.05:
        config = CONFIGS[random.integers(len(CONFIGS))]
        config = replace(config, deck=OFFICIAL_DECK if random.random() < 0.5 else OTHER_DECK)
    games: Any = type(state.games)(**fields)
    if random.random() < 0.02:
        games = ODD_VALUES[random.integers(len(ODD_VALUES))]
    new = BatchState(config, games, keys)
    return ODD_VALUES[random.integers(len(ODD_VALUES))] if random.random() < 0.02 else new


def changed_field(random: Generator, field: Any) -> Any:
    kind = int(random.integers(12))
    if not isinstance(field, np.ndarray) or field.dtype.kind not in "iu" or not field.size:
        kind = 0
    if kind == 0:
        return ODD_VALUES[random.integers(len(ODD_VALUES))]
    if kind == 1:
        dtypes = (np.float64, np.int64, np.int32, np.uint8, np.bool_, object, ">i8")
        return field.astype(dtypes[random.integers(len(dtypes))])
    if kind == 2:
        return (field[:-1], field[None], field.T, field[..., :-1])[random.integers(4)]
    new = field.copy()
    if kind == 3:
        new.flags.writeable = False
    elif kind == 4:
        new = np.asfortranarray(new)
    elif kind == 5:
        random.shuffle(new)  # games among each other
    elif kind == 6:
        new[...] = np.frombuffer(random.bytes(new.nbytes), new.dtype).reshape(new.shape)
    elif kind == 7:
        at, other = (tuple(random.integers(new.shape)) for _ in range(2))
        new[at], new[other] = new[other], new[at]
    else:
        new[tuple(random.integers(new.shape))] = entry(random, new)
    return new


def entry(random: Generator, field: npt.NDArray[Any]) -> Any:
    limits = np.iinfo(field.dtype)
    value = field.ravel()[random.integers(field.size)]
    near = int(value) + int(random.integers(-2, 3))
    values = (limits.min, limits.max, 0, 1, limits.max - int(random.integers(100)), near, near)
    return min(max(values[random.integers(len(values))], limits.min), limits.max)
