"""Games are taken out of a batch and put back, exactly, wherever they stand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import OFFICIAL_DECK, BatchEnv, Deck
from tests.envs.expected import assert_seen
from tests.envs.playing import (
    SHORT,
    advance,
    advance_lowest,
    everything,
    games_of,
    lowest_legal,
    started,
)

NUM_ENVS = 4
MOST_TURNS = 2 * SHORT.num_turns + 1

OTHERWISE = [
    {"num_players": 4},
    {"num_objectives": 1},
    {"num_objectives": 0},
    {"num_rounds": 1},
    {"hand_size": 4},
    {"deck": Deck(OFFICIAL_DECK.cards[:50])},
]


@settings(deadline=None, max_examples=60)
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
    state, then, seen_then = env.get_state(indices), games_of(env), env.seen["observation"].copy()
    keys_then, kept = env.keys.copy(), everything(tuple(state.games))
    told = advance(env, after, seed=3)
    later, keys_later = games_of(env), env.keys.copy()
    assert everything(tuple(state.games)) == kept, "the state is a copy"

    seen = env.set_state(indices, state)
    for index, game in enumerate(games_of(env)):
        back = index in indices
        assert game == (then if back else later)[index]
        assert env.keys[index].tolist() == (keys_then if back else keys_later)[index].tolist()
        assert_seen(env.layout, seen["observation"][index], seen["action_mask"][index], game)
    assert np.array_equal(seen["observation"][indices], seen_then[indices])
    assert np.array_equal(env.seen["observation"], seen["observation"])

    told_again = advance(env, after, seed=3)
    for step, step_again in zip(told, told_again, strict=True):
        for name, values in step.items():
            assert np.array_equal(values[indices], step_again[name][indices]), name
    assert [env.game(index) for index in indices] == [later[index] for index in indices]


@pytest.mark.parametrize(
    "indices",
    [[0, 2], (0, 2), (1,), range(1, 4), np.array([3, 0]), [], ()],
    ids=repr,
)
def test_any_sequence_of_indices_will_do(indices: Sequence[int]) -> None:
    env = started(NUM_ENVS, turns=2)
    state, then = env.get_state(indices), games_of(env)
    assert state.keys[:, :3].tolist() == [[2, index, 0] for index in indices]
    advance(env, SHORT.num_turns, seed=1)
    later = games_of(env)
    env.set_state(indices, state)
    assert games_of(env) == [
        (then if index in set(indices) else later)[index] for index in range(NUM_ENVS)
    ]


def test_one_game_can_be_put_into_every_place_of_another_batch() -> None:
    env, other = started(NUM_ENVS, turns=3), BatchEnv(SHORT, 6)
    seen = other.set_state(range(6), env.get_state([1] * 6))
    assert games_of(other) == [env.game(1)] * 6
    for _ in range(SHORT.num_turns):
        seen, *_ = other.step(lowest_legal(seen))
    advance_lowest(env, SHORT.num_turns)
    # The key went along, so what is dealt after it is the same too.
    assert games_of(other) == [env.game(1)] * 6


def test_places_may_be_swapped() -> None:
    env = started(3, turns=1)
    first, second, third = games_of(env)
    env.set_state([2, 0, 1], env.get_state([0, 1, 2]))
    assert games_of(env) == [second, third, first]


@pytest.mark.parametrize("otherwise", OTHERWISE, ids=str)
def test_a_state_of_another_config_is_refused_and_nothing_changed(
    otherwise: dict[str, Any],
) -> None:
    env, other = started(2, turns=2), BatchEnv(replace(SHORT, **otherwise), 2)
    other.reset(seed=77)
    before, keys = games_of(env), env.keys.copy()
    with pytest.raises(ValueError, match="another config"):
        env.set_state([0, 1], other.get_state([0, 1]))
    assert games_of(env) == before
    assert np.array_equal(env.keys, keys)


@pytest.mark.parametrize("places", [[], [0], [0, 1, 2]], ids=str)
def test_as_many_places_as_games(places: list[int]) -> None:
    env = started(3, turns=2)
    before, state = games_of(env), env.get_state([1, 2])
    with pytest.raises(ValueError, match=rf"2 games do not fit into {len(places)} places"):
        env.set_state(places, state)
    assert games_of(env) == before


def test_a_place_that_is_not_there() -> None:
    env = started(2, turns=1)
    before = games_of(env)
    with pytest.raises(ValueError, match="an index must be 0 to 1, not 2"):
        env.get_state([2])
    with pytest.raises(ValueError, match="an index must be 0 to 1, not 2"):
        env.set_state([2], env.get_state([0]))
    assert games_of(env) == before
