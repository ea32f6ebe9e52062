"""Whose the returned arrays are; and a copy of a running environment goes on alike and alone."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from mindup_env import BatchEnv, GameConfig, mindup_v0
from tests.envs.bots import ByHand, choose_by
from tests.envs.playing import SHORT, arrays_of, everything, games_of, lowest_legal, random_legal

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "reward": "margin+win"}


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


copies = pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
Copied = Callable[[Any], Any]


# The arrays of a batch


def test_the_same_arrays_are_written_over() -> None:
    env, chance = BatchEnv(SHORT, 2), np.random.default_rng(1)
    seen, _ = env.reset(seed=5)
    first = env.step(random_legal(seen, chance))
    steps = [env.step(random_legal(env.seen, chance)) for _ in range(SHORT.num_turns)]
    for step in (*steps, (env.seen, *first[1:]), (env.reset()[0], *first[1:])):
        assert same_memory(step[0], seen)
        assert all(map(same_memory, step[:4], first[:4]))
        for name in ("points_gained", "illegal_actions"):
            assert same_memory(step[4][name], first[4][name])
    (end,) = [step[4] for step in steps if "scores" in step[4]]
    # What was seen last is not written over by what is seen now.
    assert not np.shares_memory(end["final_observation"]["observation"], seen["observation"])


def same_memory(result: Any, other: Any) -> bool:
    """Whether they hold the same arrays, not only equal ones."""
    return [array.__array_interface__["data"] for array in arrays_of(result)] == [
        array.__array_interface__["data"] for array in arrays_of(other)
    ]


def test_a_game_of_a_batch_is_a_copy() -> None:
    env = BatchEnv(SHORT, 2)
    seen, _ = env.reset(seed=8)
    game = env.game(1)
    game.play([game.hand(player)[0] for player in range(3)])
    assert env.game(1) != game
    env.step(lowest_legal(seen))
    assert env.game(1) == game
    for index in (2, -1):
        with pytest.raises(ValueError, match=f"index must be 0 to 1, not {index}"):
            env.game(index)


# Copies of environments


@copies
@pytest.mark.parametrize("turns", [0, 2, SHORT.num_turns])
@pytest.mark.parametrize("autoreset", [True, False])
def test_a_batch(copied: Copied, turns: int, *, autoreset: bool) -> None:
    env = BatchEnv(SHORT, 3, reward="margin+win", autoreset=autoreset)
    seen, chance = env.reset(seed=8)[0], np.random.default_rng(2)
    for _ in range(turns):
        seen, *_ = env.step(random_legal(seen, chance))
    twin, left_behind = copied(env), copied(env)
    assert twin.config == env.config and twin.layout.size == env.layout.size
    as_it_was = games_of(env), everything(env.seen)
    for _ in range(SHORT.num_turns + 2):
        actions = random_legal(twin.seen, chance)
        step = everything(twin.step(actions))
        assert (games_of(left_behind), everything(left_behind.seen)) == as_it_was
        assert everything(env.step(actions)) == step
        assert games_of(env) == games_of(twin)
    assert everything(env.reset()) == everything(twin.reset())
    assert games_of(env) == games_of(twin)
    assert (games_of(left_behind), everything(left_behind.seen)) == as_it_was
    left_behind.reset()
    if not autoreset:
        assert games_of(left_behind) == games_of(env)


def test_a_batch_that_was_never_reset() -> None:
    env = copy.deepcopy(BatchEnv(SHORT, 2))
    with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
        env.step(np.zeros((2, 3), np.int64))
    assert everything(env.reset(seed=3)) == everything(BatchEnv(SHORT, 2).reset(seed=3))


def parallel_trace(env: Any) -> list[Any]:
    """All that is seen to the end of this game and of the next."""
    trace: list[Any] = [env.unwrapped.game.record(), env.agents[:]]
    for _ in range(2):
        while env.agents:
            trace += [env.state(), play_parallel(env)]
        trace.append(env.reset())
    return trace


def turn_based_trace(env: Any) -> list[Any]:
    trace: list[Any] = [env.unwrapped.game.record(), env.agents[:]]
    for _ in range(2):
        while env.agents:
            seen, *rest = env.last()
            trace += [env.agent_selection, seen, *copy.deepcopy(rest), env.rewards.copy()]
            play_turn_based(env)
        env.reset()
    return trace


def play_parallel(env: Any) -> Any:
    return env.step({agent: choose_by(env.observe(agent)["action_mask"]) for agent in env.agents})


def play_turn_based(env: Any) -> None:
    seen, _, over, _, _ = env.last()
    env.step(None if over else choose_by(seen["action_mask"]))


@copies
@pytest.mark.parametrize(
    ("make", "play", "trace_of", "steps"),
    [
        (mindup_v0.parallel_env, play_parallel, parallel_trace, 7),
        (mindup_v0.env, play_turn_based, turn_based_trace, 59),  # with choices open
        (mindup_v0.raw_env, play_turn_based, turn_based_trace, 61),  # with players leaving
    ],
)
def test_an_environment_of_pettingzoo(
    copied: Copied, make: Any, play: Any, trace_of: Any, steps: int
) -> None:
    env = make(**TABLE)
    env.reset(seed=4)
    for _ in range(steps):
        play(env)
    twin, before = copied(env), env.unwrapped.game
    assert type(twin) is type(env)
    trace = trace_of(twin)
    assert env.unwrapped.game == before, "the copy plays alone"
    assert data_equivalence(trace_of(env), trace, exact=True)


@copies
def test_learners_in_many_games(copied: Copied) -> None:
    config = GameConfig(num_players=3, num_objectives=1)
    opponents = ["random", ByHand(config)]
    env = gymnasium.make_vec("MindUp-v0", num_envs=3, opponents=opponents, **TABLE)
    seen, _ = env.reset(seed=4)
    for decision in range(60):
        envs = [env]
        if decision % 13 == 12:
            twin = copied(env)
            assert type(twin) is type(env)
            envs, env = [twin, env], twin
        answers = [form.step(seen["action_mask"].argmax(axis=1)) for form in envs]
        assert data_equivalence(answers[0], answers[-1], exact=True)
        seen = answers[0][0]
