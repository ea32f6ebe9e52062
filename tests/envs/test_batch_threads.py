"""A BatchEnv with several threads: every byte is the same."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig
from mindup_env.batch_env import game_threads
from tests.envs.playing import SHORT, arrays_of, random_legal

NUM_ENVS = 259


@pytest.fixture(autouse=True)
def _few_games_for_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets eight threads play so many games; more would only take longer."""
    monkeypatch.setattr(game_threads, "LEAST_GAMES", 32)


def assert_equal(left: Any, right: Any) -> None:
    for mine, other in zip(arrays_of(left), arrays_of(right), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


def play_equally(envs: list[BatchEnv], turns: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(turns):
        actions = random_legal(envs[0].seen, chance)
        actions[::5, 0] = 0  # some are illegal
        first, *others = [env.step(actions) for env in envs]
        for other in others:
            assert_equal(first, other)
        for env in envs[1:]:
            assert_equal(envs[0].keys, env.keys)


@pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")
@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize(
    ("config", "padded"), [(SHORT, None), (SHORT, 6), (GameConfig(6, 5), None)]
)
def test_any_number_of_threads_gives_the_same_bytes(
    config: GameConfig, padded: int | None, *, autoreset: bool
) -> None:
    envs = [
        BatchEnv(
            config,
            NUM_ENVS,
            reward="0.1*margin+win",
            autoreset=autoreset,
            num_threads=number,
            pad_to_players=padded,
        )
        for number in (1, 2, 3, 5, 64)
    ]
    for seed in (3, None):
        first, *others = [env.reset(seed=seed) for env in envs]
        for other in others:
            assert_equal(first, other)
        play_equally(envs, config.num_turns + 2, seed=1)


@pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")
def test_games_that_end_in_one_thread_only() -> None:
    """The last observation of the others is what is seen now."""
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=number) for number in (1, 2, 5)]
    ahead = BatchEnv(SHORT, 2)
    ahead.reset(seed=9)
    for _ in range(SHORT.num_turns - 2):
        ahead.step(random_legal(ahead.seen, np.random.default_rng(0)))
    places = [NUM_ENVS - 2, NUM_ENVS - 1]
    for env in envs:
        env.reset(seed=4)
    first, *others = [env.set_state(places, ahead.get_state([0, 1])) for env in envs]
    for other in others:
        assert_equal(first, other)
    play_equally(envs, 2 * SHORT.num_turns, seed=2)


@pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")
def test_games_that_end_at_different_times() -> None:
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=number) for number in (1, 2, 3, 5)]
    ahead = BatchEnv(SHORT, 1)
    for env in envs:
        env.reset(seed=4)
    for turn in range(SHORT.num_turns):
        ahead.reset(seed=turn)
        for _ in range(turn):
            ahead.step(random_legal(ahead.seen, np.random.default_rng(turn)))
        for place in range(turn, NUM_ENVS, 2 * SHORT.num_turns):
            for env in envs:
                env.set_state([place], ahead.get_state([0]))
    play_equally(envs, 2 * SHORT.num_turns, seed=2)


@pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")
def test_many_environments_take_turns() -> None:
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=3) for _ in range(6)]
    for env in envs:
        env.reset(seed=8)
    play_equally(envs, 2 * SHORT.num_turns, seed=3)


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
)
@pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")
def test_a_copy_plays_on_by_itself(copied: Callable[[BatchEnv], BatchEnv]) -> None:
    env = BatchEnv(SHORT, NUM_ENVS, num_threads=2)
    env.reset(seed=1)
    play_equally([env], 3, seed=1)
    other, kept = copied(env), env.seen["observation"].copy()
    play_equally([copied(env)], 3, seed=5)
    np.testing.assert_array_equal(env.seen["observation"], kept)
    play_equally([env, other], SHORT.num_turns, seed=2)


def test_what_a_user_writes_into_the_arrays_does_not_last() -> None:
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=2) for _ in range(2)]
    for env in envs:
        env.reset(seed=6)
    chance = np.random.default_rng(3)
    for _ in range(2 * SHORT.num_turns):
        actions = random_legal(envs[0].seen, chance)
        first, second = (env.step(actions) for env in envs)
        assert_equal(first, second)
        for array in arrays_of(second):
            array[...] = 77 if array.dtype == np.int8 else 1
        actions = random_legal(envs[0].seen, chance)
        assert_equal(*(env.step(actions) for env in envs))


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("shape", [(-1,), (1, 1, -1), (2, -1)])
def test_users_can_change_the_shape_of_what_they_get(
    num_threads: int, shape: tuple[int, ...]
) -> None:
    num_envs = 2 * NUM_ENVS
    env, expected = (BatchEnv(SHORT, num_envs, num_threads=num_threads) for _ in range(2))
    given = [env.reset(seed=6), env.state(per_seat=True), env.seen]
    chance = np.random.default_rng(3)
    for number in range(2 * SHORT.num_turns):
        if number == 0:
            expected.reset(seed=6)
        for array in arrays_of(tuple(given)):
            array.shape = shape
        actions = random_legal(expected.seen, chance)
        given = [env.step(actions), env.state(per_seat=True), env.state()]
        wanted = [expected.step(actions), expected.state(per_seat=True), expected.state()]
        for array, other in zip(arrays_of(tuple(given)), arrays_of(tuple(wanted)), strict=True):
            np.testing.assert_array_equal(array.ravel(), other.ravel())
            array.shape = other.shape


@pytest.mark.parametrize("wrong", [0, -1, "some", 1.5])
def test_a_wrong_number_of_threads_is_refused(wrong: Any) -> None:
    with pytest.raises(
        ValueError, match=r"num_threads must be .*, or 'all' for one thread per core"
    ):
        BatchEnv(SHORT, 2, num_threads=wrong)
