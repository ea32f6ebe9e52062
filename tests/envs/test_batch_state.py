"""Games are taken out of a batch and put back, exactly, at any turn; other states are refused."""

import pickle
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game
from mindup_env.batch_env import BatchState
from tests.envs.expected import assert_seen
from tests.envs.playing import (
    SHORT,
    advance,
    advance_lowest,
    deals,
    everything,
    games_of,
    lowest_legal,
    ranks,
    started,
)
from tests.rules.strategies import plays

NUM_ENVS = 4
MOST_TURNS = 2 * SHORT.num_turns + 1


def pickled(state: BatchState) -> BatchState:
    loaded: BatchState = pickle.loads(pickle.dumps(state))
    return loaded


@settings(max_examples=60)
@given(
    indices=st.lists(st.integers(0, NUM_ENVS - 1), unique=True, min_size=1),
    before=st.integers(0, MOST_TURNS),
    after=st.integers(0, MOST_TURNS),
    autoreset=st.booleans(),
    sequence=st.sampled_from([list, tuple, np.array]),
    kept_as=st.sampled_from([lambda state: state, pickled]),
)
def test_any_games_can_be_put_back_and_go_on_alike(  # they are independent
    indices: list[int],
    before: int,
    after: int,
    sequence: Callable[[list[int]], Sequence[int]],
    kept_as: Callable[[BatchState], BatchState],
    *,
    autoreset: bool,
) -> None:
    env = BatchEnv(SHORT, NUM_ENVS, reward="margin+win", autoreset=autoreset)
    env.reset(seed=2)
    advance(env, before, seed=1)
    state = kept_as(env.get_state(sequence(indices)))
    then, seen_then = games_of(env), env.seen["observation"].copy()
    keys_then, kept = env.keys.copy(), everything(tuple(state.games))
    told = advance(env, after, seed=3)
    later, keys_later = games_of(env), env.keys.copy()
    assert everything(tuple(state.games)) == kept, "the state is a copy"

    seen = env.set_state(sequence(indices), state)
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


def test_one_game_can_be_put_into_every_place_of_another_batch() -> None:
    env, other = started(NUM_ENVS, turns=3), BatchEnv(SHORT, 6)
    other.reset(seed=9)
    seen = other.set_state(range(6), env.get_state([1] * 6))
    assert games_of(other) == [env.game(1)] * 6
    for _ in range(SHORT.num_turns):
        seen, *_ = other.step(lowest_legal(seen))
    advance_lowest(env, SHORT.num_turns)
    # The key went along, so what is dealt after it is the same too.
    assert games_of(other) == [env.game(1)] * 6


def assert_refused(env: BatchEnv, put: Callable[[], object], said: str) -> None:
    """A refusal changes nothing."""
    before = games_of(env), env.keys.tolist(), everything(env.seen)
    with pytest.raises(ValueError, match=re.escape(said)):
        put()
    assert (games_of(env), env.keys.tolist(), everything(env.seen)) == before


OTHER_CONFIGS: list[tuple[dict[str, Any], str]] = [
    ({"num_players": 4, "hand_size": 4}, "num_players is 4, not 3, hand_size is 4, not 3"),
    ({"num_cards": 59}, "num_cards is 59, not 60"),
]


@pytest.mark.parametrize(("otherwise", "said"), OTHER_CONFIGS)
def test_a_state_of_another_config_is_refused(otherwise: dict[str, Any], said: str) -> None:
    env, other = started(2, turns=2), BatchEnv(replace(SHORT, **otherwise), 2)
    other.reset(seed=77)
    state = other.get_state([0, 1])
    assert_refused(env, lambda: env.set_state([0, 1], state), f"has another config: {said}")
    assert_refused(
        env, lambda: env.set_game(0, other.game(0)), f"the game has another config: {said}"
    )


@pytest.mark.parametrize(
    ("indices", "said"),
    [
        ({0, 1}, "indices must be a list of whole numbers, not {0, 1}"),
        ([0.0, 1.0], "indices must be a list of whole numbers, not [0.0, 1.0]"),
        ([0, -1], "an index must be 0 to 1, not -1"),
        (np.array([0, 2**63], np.uint64), f"an index must be 0 to 1, not {2**63}"),
        ([1, 1], "index 1 is given 2 times; each game needs a place of its own"),
        ([0], "2 games do not fit into 1 places"),
    ],
)
def test_indices_that_are_no_places(indices: Any, said: str) -> None:
    env = started(2, turns=2)
    with pytest.raises(ValueError, match="state must be a BatchState, as get_state returns it"):
        env.set_state([0, 1], env.get_state([0, 1]).games)  # type: ignore[arg-type]
    state = env.get_state([0, 1])
    assert_refused(env, lambda: env.set_state(indices, state), said)
    if "must be" in said:
        assert_refused(env, lambda: env.get_state(indices), said)


def test_only_the_places_that_are_set_are_observed_anew() -> None:
    """So the cost does not depend on the size of the batch."""
    env = started(NUM_ENVS, 3)
    state = env.get_state([3])
    env.seen["action_mask"][...] = 7
    seen = env.set_state([1], state)["action_mask"]
    assert set(np.unique(seen[1])) == {0, 1} and (np.delete(seen, 1, axis=0) == 7).all()


def test_reset_comes_first() -> None:
    env, game = BatchEnv(SHORT, 2), Game(SHORT, 1)
    state = started(2, turns=0).get_state([0, 1])
    calls: list[Callable[[], object]] = [
        *(lambda: env.turns, lambda: env.seen, env.state, env.random_actions),
        *(lambda: env.game(1), lambda: env.get_state([0, 1]), lambda: env.round_points(1)),
        *(lambda: env.set_game(0, game), lambda: env.set_state([0, 1], state)),
        lambda: env.step(np.zeros((2, 3), np.int64)),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^reset\(\) deals the first games; call it first$"):
            call()


def test_turns_and_points_are_those_of_the_games() -> None:
    env = started(3, turns=4)
    env.set_game(1, Game(SHORT, 1))
    games = games_of(env)
    assert env.turns.tolist() == [len(game.plays) for game in games] == [4, 0, 4]
    finished = [[list(score) for score in games[g].round_scores[0]] for g in (0, 2)]
    assert env.round_points(1)[[0, 2]].tolist() == finished
    assert not env.round_points(2)[1].any()
    with pytest.raises(ValueError, match="round must be 1 to 2, not 0"):
        env.round_points(0)


# Games from elsewhere


def test_a_game_is_put_into_a_place_as_a_copy() -> None:
    env = started(3, turns=1)
    game, beside = Game(SHORT, seed=50), env.game(0)
    game.play([game.hand(player)[-1] for player in range(3)])
    untouched = game.copy()
    seen = env.set_game(1, game)
    assert [env.game(0), env.game(1)] == [beside, game]
    for index in range(3):
        assert_seen(
            env.layout, seen["observation"][index], seen["action_mask"][index], env.game(index)
        )
    advance_lowest(env, SHORT.num_turns - 1)
    assert game == untouched
    # The games after it are those of its place, whatever was put there.
    assert games_of(env) == deals(SHORT, 2, 3, episode=1)


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_finished_game_that_is_put_in_keeps_its_result(*, autoreset: bool) -> None:
    env, game = BatchEnv(SHORT, 2, autoreset=autoreset), Game(SHORT, seed=3)
    for _ in plays(game, 4):
        pass
    env.reset(seed=2)
    seen = env.set_game(0, game)
    assert not seen["action_mask"][0].any()
    _, rewards, over, _, info = env.step(lowest_legal(seen))
    assert over.tolist() == [True, False]
    assert not rewards[0].any()
    assert info["scores"][0].tolist() == list(game.scores)
    assert info["ranks"][0].tolist() == ranks(game)
    assert env.game(0) == (Game(SHORT, 2, episode=1) if autoreset else game)
