"""Two threads at one environment, bot or game, signals at any time, and use for long.

Clear errors, nothing corrupt, and no more memory than at first.

Signals not under coverage: an error that a signal raises in coverage's own code leaves its lock
taken, and the next new function waits for it for ever.
"""

import copy
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from numpy.random import Generator

from mindup_env import (
    BatchEnv,
    Game,
    GameConfig,
    IllegalActionWarning,
    belief,
    make_agent,
    mindup_v0,
)
from mindup_env.engine.compiler import kernel
from mindup_env.threads.pool import ThreadPool
from tests.agents.positions import all_seats
from tests.envs.playing import games_of, lowest_legal
from tests.rules.compiler_state import COMPILED

CONFIG = GameConfig(3, 2, hand_size=3)
NUM_ENVS = 256
CALLS = 150
MEMORY = Path("/proc/self/statm")
MOST_GROWTH = 16 * 2**20  # bytes
Call = Callable[[], Any]


def batch_calls() -> tuple[list[Call], Call]:
    env = BatchEnv(CONFIG, NUM_ENVS)
    env.reset(seed=1)
    state, all_games = env.get_state(range(NUM_ENVS)), range(NUM_ENVS)
    actions, view = np.zeros((NUM_ENVS, 3), np.int64), env.seen["observation"][0, 1].copy()
    calls: list[Call] = [
        *[partial(env.step, actions)] * 5,
        lambda: env.step(lowest_legal(env.seen)),
        lambda: env.set_state([1, 2], belief.sample(view, CONFIG, 2, np.random.default_rng(1))),
        *(env.reset, partial(env.game, 3), partial(env.set_game, 5, Game(CONFIG, 3))),
        *(partial(env.get_state, all_games), partial(env.set_state, all_games, state)),
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
    env.reset(seed=1)
    given = all_seats(env)

    def act(num_rows: int) -> Any:
        return agent.act(*given.pick(slice(num_rows)))

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


# Memory


@pytest.fixture
def warm() -> tuple[list[Call], int]:
    """Calls that were made some times, and the memory that all take."""
    calls = [call for make in VICTIMS[:-1] for call in make()[0]]
    with quick_switches():
        for call in calls * 20:
            call()
    return calls, resident_bytes()


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.skipif(not MEMORY.exists(), reason="the system does not tell the memory of a process")
def test_memory_does_not_grow(warm: tuple[list[Call], int], random: Generator) -> None:
    calls, before = warm
    for place in random.integers(len(calls), size=100):
        calls[place]()
    assert resident_bytes() - before < MOST_GROWTH


def resident_bytes() -> int:
    return int(MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# Signals


@pytest.fixture
def alarms() -> Iterator[list[float]]:
    """When alarms came; each raises an error, as a time limit does."""
    came: list[float] = []

    def end(*_: object) -> None:
        came.append(time.perf_counter())
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    yield came
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@kernel
def count_slowly(counts: npt.NDArray[np.int64], place: int) -> int:
    """Adds 1 to a count, in some time."""
    for _ in range(2):
        for bit in range(20_000):
            counts[place] ^= bit
    counts[place] += 1
    return place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.skipif(not COMPILED, reason="a signal interrupts a function of Python")
def test_a_signal_at_any_time_finds_all_functions_called_or_none(
    alarms: list[float], random: Generator
) -> None:
    pool, counts = ThreadPool(2), np.zeros(5, np.int64)
    calls = [partial(count_slowly, counts, place) for place in range(len(counts))]
    pool.run(calls)  # compiles, and starts the threads, which Python itself does not guard
    errors = 0
    for seconds in random.uniform(1e-5, 1e-3, size=500):
        came = len(alarms)
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            while len(alarms) == came:  # an error in a callback of Python itself is lost
                pool.run(calls)
        except TimeoutError:
            errors += 1
        assert len({*counts.tolist()}) == 1
    assert errors > 300
