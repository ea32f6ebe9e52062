"""A BatchEnv with several threads: every byte is the same."""

from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig
from mindup_env.batch_env import game_threads
from tests.envs.playing import SHORT, arrays_of, random_legal, spoil

NUM_ENVS = 259
pytestmark = pytest.mark.filterwarnings("ignore::mindup_env.batch_env.IllegalActionWarning")


@pytest.fixture(autouse=True)
def _few_games_for_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets eight threads play so many games; more would only take longer."""
    monkeypatch.setattr(game_threads, "LEAST_GAMES", 32)


def assert_equal(results: list[Any]) -> None:
    first, *others = map(arrays_of, results)
    for other in others:
        for mine, theirs in zip(first, other, strict=True):
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(mine, theirs)


def reset_equally(envs: list[BatchEnv], seed: int | None) -> None:
    assert_equal([env.reset(seed=seed) for env in envs])


def play_equally(envs: list[BatchEnv], turns: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    for _ in range(turns):
        actions = random_legal(envs[0].seen, chance)
        actions[::5, 0] = 0  # some are illegal
        assert_equal([env.step(actions) for env in envs])
        assert_equal([env.keys for env in envs])


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize(
    ("config", "padded"), [(SHORT, None), (SHORT, 6), (GameConfig(6, 5), None)]
)
def test_any_number_of_threads_gives_the_same_bytes(
    config: GameConfig, padded: int | None, *, autoreset: bool
) -> None:
    given: dict[str, Any] = {"autoreset": autoreset, "pad_to_players": padded}
    envs = [
        BatchEnv(config, NUM_ENVS, reward="0.1*margin+win", num_threads=number, **given)
        for number in (1, 2, 5, 64)
    ]
    for seed in (3, None):
        reset_equally(envs, seed)
        play_equally(envs, config.num_turns + 2, seed=1)


@pytest.mark.parametrize("step", [1, 2 * SHORT.num_turns], ids=["in one thread", "everywhere"])
def test_games_that_end_at_different_times(step: int) -> None:
    """The last observation of the others is what is seen now."""
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=number) for number in (1, 2, 3, 5)]
    reset_equally(envs, seed=4)
    ahead = BatchEnv(SHORT, 1)
    for turn in range(SHORT.num_turns):
        ahead.reset(seed=turn)
        for _ in range(turn):
            ahead.step(random_legal(ahead.seen, np.random.default_rng(turn)))
        state = ahead.get_state([0])
        first = NUM_ENVS - SHORT.num_turns if step == 1 else 0
        for place in range(first + turn, NUM_ENVS, max(step, SHORT.num_turns)):
            assert_equal([env.set_state([place], state) for env in envs])
    play_equally(envs, 2 * SHORT.num_turns, seed=2)


def test_what_a_user_writes_into_the_arrays_does_not_last() -> None:
    envs = [BatchEnv(SHORT, NUM_ENVS, num_threads=number) for number in (2, 3)]
    reset_equally(envs, seed=6)
    chance = np.random.default_rng(3)
    for _ in range(2 * SHORT.num_turns):
        actions = random_legal(envs[0].seen, chance)
        results = [env.step(actions) for env in envs]
        assert_equal(results)
        for array in arrays_of(results[1]):
            array[...] = 77 if array.dtype == np.int8 else 1
        spoil(results[1])
        play_equally(envs, 1, seed=3)


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("shape", [(-1,), (1, 1, -1), (2, -1)])
def test_users_can_change_the_shape_of_what_they_get(
    num_threads: int, shape: tuple[int, ...]
) -> None:
    num_envs = 2 * NUM_ENVS
    env, expected = (BatchEnv(SHORT, num_envs, num_threads=num_threads) for _ in range(2))
    given = [env.reset(seed=6), env.state(per_seat=True), env.seen]
    expected.reset(seed=6)
    chance = np.random.default_rng(3)
    for _ in range(2 * SHORT.num_turns):
        for array in arrays_of(tuple(given)):
            array.shape = shape
        actions = random_legal(expected.seen, chance)
        given = [env.step(actions), env.state(per_seat=True), env.state()]
        wanted = [expected.step(actions), expected.state(per_seat=True), expected.state()]
        for array, other in zip(arrays_of(tuple(given)), arrays_of(tuple(wanted)), strict=True):
            np.testing.assert_array_equal(array.ravel(), other.ravel())
            array.shape = other.shape
