"""Two threads at one environment, bot or game: a clear error, and nothing is corrupt."""

import copy
import pickle
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig, IllegalActionWarning, make_agent, mindup_v0
from tests.envs.playing import games_of, lowest_legal

CONFIG = GameConfig(3, 2, hand_size=3)
NUM_ENVS = 256
Call = Callable[[], Any]


def batch_calls() -> tuple[list[Call], Call]:
    env = BatchEnv(CONFIG, NUM_ENVS)
    env.reset(seed=1)
    state = env.get_state(range(NUM_ENVS))
    actions = np.zeros((NUM_ENVS, 3), np.int64)
    calls: list[Call] = [
        *[partial(env.step, actions)] * 5,
        lambda: env.step(lowest_legal(env.seen)),
        *(env.reset, partial(env.game, 3), partial(env.set_game, 5, Game(CONFIG, 3))),
        *(partial(env.get_state, range(NUM_ENVS)), partial(env.set_state, range(NUM_ENVS), state)),
        *(lambda: env.keys, partial(copy.deepcopy, env), partial(pickle.dumps, env)),
    ]

    def check() -> None:
        for game in games_of(env):
            assert Game.replay(game.record()) == game

    return calls, check


def parallel_calls() -> tuple[list[Call], Call]:
    env = mindup_v0.parallel_env(num_players=3)
    env.reset(seed=1)
    calls: list[Call] = [
        *[lambda: env.step(dict.fromkeys(env.possible_agents, 3))] * 5,
        *(env.reset, env.state, partial(env.observe, "player_1"), lambda: env.game),
    ]
    return calls, lambda: Game.replay(env.game.record())


def vector_calls() -> tuple[list[Call], Call]:
    env: Any = gymnasium.make_vec(
        "mindup_env:MindUp-v0", num_envs=64, num_players=3, opponents=["predictor"]
    ).unwrapped
    env.reset(seed=1)
    calls: list[Call] = [
        *[partial(env.step, np.zeros(64, np.int64))] * 3,
        *(env.reset, partial(env.game, 3)),
    ]
    return calls, lambda: [Game.replay(env.game(g).record()) for g in range(64)]


def bot_calls() -> tuple[list[Call], Call]:
    env, agent = BatchEnv(CONFIG, 64), make_agent("predictor", CONFIG)
    seen, _ = env.reset(seed=1)
    rows = {name: array.reshape(64 * 3, -1).copy() for name, array in seen.items()}

    def act(num_rows: int) -> Any:
        observation, mask = (rows[name][:num_rows] for name in ("observation", "action_mask"))
        return agent.act(
            observation, mask, np.zeros(num_rows, bool), np.arange(num_rows, dtype=np.uint64)
        )

    return [partial(act, num_rows) for num_rows in (1, 17, 192)], partial(act, 5)


def game_calls() -> tuple[list[Call], Call]:
    game = Game(CONFIG, 7)

    def play() -> None:
        game.play([game.hand(player)[0] for player in range(3)])

    calls: list[Call] = [
        *[play] * 3,
        *(game.copy, game.to_dict, partial(str, game), partial(copy.deepcopy, game)),
        lambda: [game.known(player) for player in range(3)],
    ]
    return calls, lambda: Game.replay(game.record())


VICTIMS = [batch_calls, parallel_calls, vector_calls, bot_calls, game_calls]
CALLS = 150


@pytest.mark.parametrize("make_calls", VICTIMS, ids=lambda each: each.__name__)
def test_threads_get_clear_errors(
    random: Generator, make_calls: Callable[[], tuple[list[Call], Call]]
) -> None:
    calls, check = make_calls()
    errors: list[Exception] = []
    with quick_switches():
        threads = [
            threading.Thread(target=run, args=(calls, child, errors)) for child in random.spawn(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for error in errors:
        if isinstance(error, RuntimeError):
            assert "is being used by another thread" in str(error)
        else:  # a call of a game waits for the other, and may then come too late
            assert make_calls is game_calls and isinstance(error, ValueError | IndexError), error
    check()


def run(calls: list[Call], random: Generator, errors: list[Exception]) -> None:
    for _ in range(CALLS):
        try:
            calls[random.integers(len(calls))]()
        except Exception as error:  # noqa: BLE001  # the test judges all of them
            errors.append(error)


@contextmanager
def quick_switches() -> Iterator[None]:
    """Threads take turns much more often than by default."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IllegalActionWarning)
            yield
    finally:
        sys.setswitchinterval(interval)
