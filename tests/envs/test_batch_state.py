"""Games are taken out of a batch and put back, exactly, at any turn; other states are refused."""

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game
from tests.envs.expected import assert_seen
from tests.envs.playing import SHORT, advance, deals, everything, games_of, lowest_legal, started
from tests.game_origins import play_randomly

NUM_ENVS = 4
MOST_TURNS = 2 * SHORT.num_turns + 1


@settings(max_examples=60)
@given(
    indices=st.lists(st.integers(0, NUM_ENVS - 1), unique=True, min_size=1),
    before=st.integers(0, MOST_TURNS),
    after=st.integers(0, MOST_TURNS),
    autoreset=st.booleans(),
)
def test_any_games_can_be_put_back_and_go_on_alike(
    indices: list[int], before: int, after: int, *, autoreset: bool
) -> None:
    env = BatchEnv(SHORT, NUM_ENVS, reward="margin+win", autoreset=autoreset)
    env.reset(seed=2)
    advance(env, before, seed=1)
    state, then, keys_then = env.get_state(indices), games_of(env), env.keys
    kept = pickle.dumps(state)
    told = advance(env, after, seed=3)
    later, keys_later = games_of(env), env.keys
    assert pickle.dumps(state) == kept, "the state is a copy"

    seen = env.set_state(np.array(indices), pickle.loads(kept))
    for index, game in enumerate(games_of(env)):
        back = index in indices
        assert game == (then if back else later)[index]
        assert env.keys[index].tolist() == (keys_then if back else keys_later)[index].tolist()
        assert_seen(env.layout, seen["observation"][index], seen["action_mask"][index], game)
    told_again = advance(env, after, seed=3)
    for step, step_again in zip(told, told_again, strict=True):
        for name, values in step.items():
            assert np.array_equal(values[indices], step_again[name][indices]), name
    assert [env.game(index) for index in indices] == [later[index] for index in indices]


@pytest.mark.parametrize("otherwise", [{"num_players": 4, "hand_size": 4}, {"num_cards": 59}])
def test_a_state_of_another_config_is_refused(otherwise: dict[str, Any]) -> None:
    env, other = started(2, turns=2), BatchEnv(replace(SHORT, **otherwise), 2)
    other.reset(seed=77)
    state, before = other.get_state([0, 1]), (games_of(env), everything(env.seen))
    said = ", ".join(
        f"{name} is {value}, not {getattr(SHORT, name)}" for name, value in otherwise.items()
    )
    with pytest.raises(ValueError, match=f"the state has another config: {said}"):
        env.set_state([0, 1], state)
    with pytest.raises(ValueError, match=f"the game has another config: {said}"):
        env.set_game(0, other.game(0))
    assert (games_of(env), everything(env.seen)) == before


@pytest.mark.parametrize(
    "indices",
    [
        *({0, 1}, "01", [[0], [1]], [0.0, 1.0], [0, -1], [0, 2], np.array([0, 2**63], np.uint64)),
        *(np.array([0, 1], "M8[D]"), ["0", "1"], [[0], [1, 2]], [0, None]),
    ],
    ids=repr,
)
def test_indices_that_are_no_places_are_refused(indices: Any) -> None:
    env = started(2, turns=2)
    state, before = env.get_state([0, 1]), games_of(env)
    for use in (env.get_state, lambda given: env.set_state(given, state)):
        with pytest.raises(ValueError, match="indices must be a list of whole numbers from 0 to 1"):
            use(indices)
    assert games_of(env) == before


def test_each_game_needs_a_place_of_its_own() -> None:
    env = started(2, turns=2)
    for indices in ([1, 1], [0]):
        said = f"2 games need as many different indices, not {indices}"
        with pytest.raises(ValueError, match=re.escape(said)):
            env.set_state(indices, env.get_state([0, 1]))


@pytest.mark.parametrize("odd", [None, 5, {}, "state", started(2, 0).get_state([0, 1]).games])
def test_what_is_no_state_or_game_is_refused(odd: Any) -> None:
    env = started(2, turns=0)
    with pytest.raises(ValueError, match="state must be a Batch, not"):
        env.set_state([0, 1], odd)
    with pytest.raises(ValueError, match="game must be a Game, not"):
        env.set_game(0, odd)
    for index in (2, -1, 0.5):
        with pytest.raises(ValueError, match="index must be"):
            env.game(index)  # type: ignore[arg-type]


def test_reset_comes_first() -> None:
    env, game = BatchEnv(SHORT, 2), Game(SHORT, 1)
    state = started(2, turns=0).get_state([0, 1])
    calls: list[Callable[[], object]] = [
        *(lambda: env.turns, lambda: env.seen, env.state, env.random_actions),
        *(lambda: env.game(1), lambda: env.get_state([0, 1])),
        *(lambda: env.set_game(0, game), lambda: env.set_state([0, 1], state)),
        lambda: env.step(np.zeros((2, 3), np.int64)),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^reset\(\) deals the first games; call it first$"):
            call()


def test_a_game_is_put_into_a_place_and_taken_out_as_a_copy() -> None:
    env, game = started(3, turns=4), Game(SHORT, seed=50)
    game.play([game.hand(player)[-1] for player in range(3)])
    beside, untouched = env.game(0), game.copy()
    env.set_game(1, game)
    out = env.game(1)
    out.play([out.hand(player)[0] for player in range(3)])
    assert [env.game(0), env.game(1)] == [beside, untouched]
    assert env.turns.tolist() == [4, 1, 4]
    for _ in range(SHORT.num_turns - 1):
        env.step(lowest_legal(env.seen))
    assert game == untouched
    # The game after it is that of its place, whatever was put there.
    assert env.game(1) == deals(SHORT, 2, 3, episode=1)[1]


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_finished_game_that_is_put_in_keeps_its_result(*, autoreset: bool) -> None:
    env, game = BatchEnv(SHORT, 2, autoreset=autoreset), Game(SHORT, seed=3)
    play_randomly(game, SHORT.num_turns, np.random.default_rng(4))
    env.reset(seed=2)
    seen = env.set_game(0, game)
    assert not seen["action_mask"][0].any()
    _, rewards, over, _, info = env.step(lowest_legal(seen))
    assert over.tolist() == [True, False]
    assert not rewards[0].any()
    assert info["score"][0].tolist() == list(game.scores)
    assert env.game(0) == (Game(SHORT, 2, episode=1) if autoreset else game)
