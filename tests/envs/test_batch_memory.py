"""Whose the returned arrays are, and copies of an environment in the midst of play."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv
from tests.envs.playing import SHORT, arrays_of, everything, games_of, lowest_legal, random_legal

REWARDS = ["win", "score", "margin", "margin+win"]


@pytest.mark.parametrize("reward", REWARDS)
def test_copies_survive_the_next_steps(reward: str) -> None:
    env, chance = BatchEnv(SHORT, 2, reward=reward, copy=True), np.random.default_rng(1)
    returned: list[tuple[Any, list[bytes]]] = []
    seen, info = env.reset(seed=5)
    returned.append(((seen, info), everything((seen, info))))
    for _ in range(2 * SHORT.num_turns + 1):
        step = env.step(random_legal(seen, chance))
        seen = step[0]
        returned += [(step, everything(step)), (env.seen, everything(env.seen))]
    env.reset()
    returned.append((env.seen, everything(env.seen)))
    env.set_state([0], env.get_state([1]))
    for result, as_it_was in returned:
        assert everything(result) == as_it_was
    kept = [array for result, _ in returned for array in arrays_of(result)]
    for place, array in enumerate(kept):
        assert not any(np.shares_memory(array, other) for other in kept[place + 1 :])


@pytest.mark.parametrize("reward", REWARDS)
def test_writing_into_a_copy_changes_nothing(reward: str) -> None:
    env, untouched = (BatchEnv(SHORT, 2, reward=reward, copy=True) for _ in range(2))
    seen, chance = env.reset(seed=5)[0], np.random.default_rng(1)
    untouched.reset(seed=5)
    for _ in range(2 * SHORT.num_turns):
        actions = random_legal(seen, chance)
        step, expected = env.step(actions), untouched.step(actions)
        assert everything(step) == everything(expected)
        seen = copy.deepcopy(step[0])
        for array in [*arrays_of(step), *arrays_of(env.seen)]:
            array[...] = 77


@pytest.mark.parametrize("reward", REWARDS)
def test_without_copies_the_same_arrays_are_written_over(reward: str) -> None:
    env, chance = BatchEnv(SHORT, 2, reward=reward), np.random.default_rng(1)
    seen, _ = env.reset(seed=5)
    first = env.step(random_legal(seen, chance))
    steps = [env.step(random_legal(env.seen, chance)) for _ in range(SHORT.num_turns)]
    again = [*steps, (env.seen, *first[1:]), (env.reset()[0], *first[1:])]
    for step in again:
        assert same_memory(step[0], first[0]) and same_memory(step[0], seen)
        assert same_memory(step[1], first[1])
        assert same_memory(step[2], first[2])
        assert same_memory(step[3], first[3])
        for name in ("points_gained", "illegal_actions"):
            assert same_memory(step[4][name], first[4][name])
    ends = [step[4] for step in steps if step[2] is first[2] and "scores" in step[4]]
    assert len(ends) == 1
    # What was seen last is not written over by what is seen now.
    assert not np.shares_memory(ends[0]["final_observation"]["observation"], seen["observation"])


@pytest.mark.parametrize("turns", [0, 2, SHORT.num_turns])
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("autoreset", [True, False])
def test_a_copy_of_an_environment_goes_on_alike_and_alone(
    copied: Callable[[BatchEnv], BatchEnv], turns: int, *, autoreset: bool
) -> None:
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


def test_a_copy_of_an_environment_that_was_never_reset() -> None:
    env = copy.deepcopy(BatchEnv(SHORT, 2))
    with pytest.raises(ValueError, match="reset"):
        env.step(np.zeros((2, 3), np.int64))
    assert everything(env.reset(seed=3)) == everything(BatchEnv(SHORT, 2).reset(seed=3))


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


def same_memory(result: Any, other: Any) -> bool:
    """Whether they hold the same arrays, not only equal ones."""
    return [array.__array_interface__["data"] for array in arrays_of(result)] == [
        array.__array_interface__["data"] for array in arrays_of(other)
    ]
