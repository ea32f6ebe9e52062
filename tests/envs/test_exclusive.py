"""One caller at a time: an environment in use refuses every other call with a clear error."""

import copy
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
import pytest

from mindup_env import BatchEnv, Game, mindup_v0
from tests.envs.playing import SHORT, games_of, lowest_legal, started

STATE = started(2, turns=1).get_state([0, 1])
CALLS: dict[str, Callable[[BatchEnv], object]] = {
    "reset": lambda env: env.reset(seed=1),
    "step": lambda env: env.step(np.zeros((2, 3), np.int64)),
    "seen": lambda env: env.seen,
    "keys": lambda env: env.keys,
    "turns": lambda env: env.turns,
    "round_points": lambda env: env.round_points(1),
    "state": lambda env: env.state(),
    "game": lambda env: env.game(0),
    "get_state": lambda env: env.get_state([0]),
    "set_state": lambda env: env.set_state([0, 1], STATE),
    "set_game": lambda env: env.set_game(0, Game(SHORT, 1)),
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
}


class SlowReward:
    """A reward function that waits in its first call."""

    def __init__(self) -> None:
        self.begun, self.end = threading.Event(), threading.Event()

    def __call__(self, gained: Any, over: Any, win_share: Any) -> Any:  # noqa: ARG002
        self.begun.set()
        assert self.end.wait(timeout=100)
        return gained


@contextmanager
def busy(play: Callable[[], object], reward: SlowReward) -> Iterator[None]:
    """Another thread plays a turn all the while."""
    thread = threading.Thread(target=play)
    thread.start()
    assert reward.begun.wait(timeout=100)
    try:
        yield
    finally:
        reward.end.set()
        thread.join()


def test_no_method_works_while_another_thread_is_inside() -> None:
    reward = SlowReward()
    env = BatchEnv(SHORT, 2, reward=reward)
    env.reset(seed=2)
    public = {name for name in vars(BatchEnv) if not name.startswith("_")}
    assert public <= CALLS.keys()
    with busy(lambda: env.step(lowest_legal(env.seen)), reward):
        for call in CALLS.values():
            with pytest.raises(RuntimeError, match="this BatchEnv is being used by another thread"):
                call(env)
        other = BatchEnv(SHORT, 2)  # one of its own can be used
        other.reset(seed=2)
        other.step(lowest_legal(other.seen))
    assert games_of(env) == games_of(other), "the turn of the other thread was played"


def test_a_reward_function_cannot_use_its_environment() -> None:
    env: BatchEnv = BatchEnv(SHORT, 2, reward=lambda *_: env.step(np.zeros((2, 3), np.int64))[1])
    env.reset(seed=2)
    with pytest.raises(RuntimeError, match="or by a function that it has called"):
        env.step(lowest_legal(env.seen))
    assert env.game(0).turn == 2, "the environment can be used again"


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
def test_the_other_apis_refuse_too() -> None:
    rewards = [SlowReward() for _ in range(4)]
    parallel = mindup_v0.parallel_env(num_players=3, reward=rewards[0])
    turn_based = mindup_v0.env(num_players=3, reward=rewards[1])
    given: dict[str, Any] = {"num_players": 3, "opponents": ["random"]}
    single: Any = gymnasium.make("mindup_env:MindUp-v0", reward=rewards[2], **given).unwrapped
    vector: Any = gymnasium.make_vec("mindup_env:MindUp-v0", reward=rewards[3], **given).unwrapped
    for env in (parallel, turn_based, single, vector):
        env.reset(seed=1)
    turn_based.step(0)
    turn_based.step(0)
    plays: list[tuple[Callable[[], object], Any]] = [
        (lambda: parallel.step(dict.fromkeys(parallel.agents, 0)), parallel),
        (lambda: turn_based.step(0), turn_based),
        (lambda: single.step(0), single),
        (lambda: vector.step([0]), vector),
    ]
    for (play, env), reward in zip(plays, rewards, strict=True):
        with busy(play, reward):
            calls = [play, env.reset]
            if env in (parallel, turn_based):
                calls += [env.state, lambda: env.game, lambda: env.observe("player_0")]  # noqa: B023
            for call in calls:
                with pytest.raises(RuntimeError, match="is being used by another thread"):
                    call()
