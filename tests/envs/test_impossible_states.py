"""A state that no game can have is refused in words, and the environment stays as it was."""

import pickle
import re
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mindup_env import OFFICIAL_DECK, BatchEnv, Card, Deck, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.belief import sample
from mindup_env.engine.state import Games
from tests.envs.playing import SHORT, advance, everything, games_of, started

Change = Callable[[Any], None]


def setting(name: str, value: int) -> Change:
    def change(state: BatchState) -> None:
        field = state.keys if name == "keys" else getattr(state.games, name)
        field[:] = value

    return change


def swap_past_plays(state: BatchState) -> None:
    state.games.played[1, 0] = state.games.played[1, 0, ::-1].copy()


def swap_cards_of_the_deck(state: BatchState) -> None:
    state.games.deck[1, [0, 3]] = state.games.deck[1, [3, 0]]  # they are in different hands


def play_a_card_twice(state: BatchState) -> None:
    state.games.played[1, 1, 0] = state.games.played[1, 0, 0]


def play_a_card_that_wraps(state: BatchState) -> None:
    state.games.played[1, 0, 0] += 64


def remember_the_future(state: BatchState) -> None:
    state.games.played[1, 4, 0] = 5


def repeat_an_objective(state: BatchState) -> None:
    state.games.objectives[1, 1] = state.games.objectives[1, 0]


CHANGES: list[tuple[Change, str]] = [
    (setting("clock", -30000), "in game 0 of the state, `clock` must be 0 to 5, not -30000"),
    (setting("clock", 32767), "`clock` must be 0 to 5, not 32767"),
    (setting("clock", 4), "`played` must be what the deal and the plays of the game lead to"),
    (setting("clock", 2), "`hands` must be what the deal and the plays of the game lead to"),
    (setting("start_turn", 4), "`start_turn` must be 0 to the clock, not 4"),
    (setting("hands", -1), "`hands` must be what"),
    (setting("tableaux", 0), "`tableaux` must be what"),
    (setting("row", 127), "`row` must be what"),
    (setting("columns", 5), "`columns` must be what"),
    (setting("points", 100), "`points` must be what"),
    (setting("taken", 60), "`taken` must be what"),
    (setting("played", -1), "`played` must be what"),
    (setting("deck", 3), "`deck` must be each card once"),
    (setting("score_cards", 1), "`score_cards` must be each of 1 to 5 once"),
    (setting("objectives", 100), "`objectives` must be what a deal of 2 objectives over 2 rounds"),
    (setting("keys", 2**32), "`keys` must be seed, slot, episode and agent seed, slot and"),
    (swap_past_plays, "in game 1 of the state, `played` must be what"),
    (swap_cards_of_the_deck, "in game 1 of the state, `"),
    (play_a_card_twice, "in game 1 of the state, `played` must be what"),
    (play_a_card_that_wraps, "in game 1 of the state, `played` must be what"),
    (remember_the_future, "in game 1 of the state, `played` must be what"),
    (repeat_an_objective, "in game 1 of the state, `objectives` must be what"),
]


def assert_refused(env: BatchEnv, indices: Any, state: Any, said: str) -> None:
    before = games_of(env), env.keys.tolist(), everything(env.seen)
    with pytest.raises(ValueError, match=re.escape(said)):
        env.set_state(indices, state)
    assert (games_of(env), env.keys.tolist(), everything(env.seen)) == before


def own_arrays(state: BatchState) -> BatchState:
    """A copy that can be changed, and that no environment has made."""
    games = Games._make(field.copy() for field in state.games)
    return BatchState(state.config, games, state.keys.copy())


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_a_state_that_the_rules_do_not_lead_to(change: Change, said: str) -> None:
    env = started(2, turns=3)
    state = own_arrays(env.get_state([0, 1]))
    change(state)
    assert_refused(env, [0, 1], state, said)
    advance(env, SHORT.num_turns, seed=1)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("hands", lambda field: field.astype(np.float64), "must be int64 of shape (2, 3), not flo"),
        ("hands", lambda field: field * np.nan, "not float64 of shape (2, 3)"),
        ("clock", lambda field: field.astype(np.int64), "must be int16 of shape (2,), not int64"),
        (
            "row",
            lambda field: field[:1],
            "of a state of 2 games must be int8 of shape (2, 3)",
        ),
        ("deck", lambda field: field.tolist(), "`deck` of a state of 2 games must be int8"),
        ("points", lambda field: None, "not None"),  # noqa: ARG005
    ],
)
def test_arrays_of_another_type_or_shape(name: str, change: Any, said: str) -> None:
    env = started(2, turns=2)
    state = env.get_state([0, 1])
    games = state.games._replace(**{name: change(getattr(state.games, name))})
    assert_refused(env, [0, 1], BatchState(state.config, games, state.keys), said)


@pytest.mark.parametrize(
    ("indices", "said"),
    [
        (0, "indices must be a list of whole numbers, not 0"),
        ("01", "indices must be a list of whole numbers, not '01'"),
        ({0, 1}, "indices must be a list of whole numbers, not {0, 1}"),
        ([0.0, 1.0], "indices must be a list of whole numbers, not [0.0, 1.0]"),
        ([True, False], "indices must be a list of whole numbers"),
        ([[0], [0, 1]], "indices must be a list of whole numbers"),
        ([0, -1], "an index must be 0 to 1, not -1"),
        (np.array([0, 2**63], np.uint64), f"an index must be 0 to 1, not {2**63}"),
        ([0, 2**70], "indices must be a list of whole numbers"),
        ([1, 1], "index 1 is given 2 times; each game needs a place of its own"),
    ],
)
def test_places_that_are_none(indices: Any, said: str) -> None:
    env = started(2, turns=2)
    assert_refused(env, indices, env.get_state([0, 1]), said)
    if "times" not in said:
        with pytest.raises(ValueError, match=re.escape(said)):
            env.get_state(indices)


def test_what_is_no_state() -> None:
    env = started(2, turns=2)
    state = env.get_state([0, 1])
    for given in (None, (state.games, state.keys), state.games):
        assert_refused(env, [0, 1], given, "state must be a BatchState, as get_state returns it")
    games: Any = tuple(state.games)
    assert_refused(
        env, [0, 1], BatchState(state.config, games, state.keys), "must be of the type Games"
    )


def test_the_config_is_part_of_a_state() -> None:
    points = Deck(tuple(Card(n, colour, -points) for n, colour, points in OFFICIAL_DECK))
    env, other = started(1, turns=2), BatchEnv(replace(SHORT, deck=points), 1)
    other.reset(seed=2)
    assert_refused(env, [0], other.get_state([0]), "with another config: another deck")
    other = BatchEnv(replace(SHORT, num_players=4, hand_size=4), 1)
    other.reset(seed=2)
    said = "with another config: num_players is 4, not 3, hand_size is 4, not 3"
    assert_refused(env, [0], other.get_state([0]), said)


@pytest.mark.parametrize("config", [SHORT, GameConfig(2, 4, num_rounds=3, hand_size=2)])
def test_every_game_that_can_be_is_accepted(config: GameConfig) -> None:
    """Dealt or sampled, at any turn, and played on from there: also as a state of their own."""
    for turns in range(config.num_turns + 1):
        env, rng = BatchEnv(config, 2, autoreset=False), np.random.default_rng(turns)
        env.reset(seed=turns)
        advance(env, turns, seed=turns)
        set_again(env)
        for seat in range(config.num_players):
            view = env.seen["observation"][0, seat]
            sampled = BatchEnv(config, 3, autoreset=False)
            sampled.set_state(range(3), sample(view, config, 3, rng))
            set_again(sampled)
            advance(sampled, int(rng.integers(config.num_turns - turns + 1)), seed=seat)
            set_again(sampled)


def set_again(env: BatchEnv) -> None:
    """Without the knowledge that an environment has read these games."""
    indices, before = range(env.num_envs), games_of(env)
    env.set_state(indices, own_arrays(env.get_state(indices)))
    assert games_of(env) == before


def test_a_state_that_an_environment_made_cannot_be_changed() -> None:
    env = started(2, turns=2)
    view = env.seen["observation"][0, 0]
    for state in (env.get_state([0, 1]), sample(view, SHORT, 2, np.random.default_rng(1))):
        for field in (*state.games, state.keys):
            with pytest.raises(ValueError, match="read-only"):
                field[:] = -1
            with pytest.raises(ValueError, match="WRITEABLE"):
                field.flags.writeable = True
        for again in (copy(state), deepcopy(state), pickle.loads(pickle.dumps(state))):
            env.set_state([0, 1], again)
            for field in again.games:
                if field.flags.writeable:
                    field[:] = -1
        env.set_state([1, 0], state)
        assert len(str(env.game(0))) > 0


def test_arrays_of_any_memory_are_accepted() -> None:
    env = started(3, turns=2)
    state, before = env.get_state(range(3)), games_of(env)
    for field in (*state.games, state.keys):
        field.flags.writeable = False
    reordered = state.games._replace(hands=np.asfortranarray(state.games.hands))
    env.reset()
    env.set_state(range(3), BatchState(state.config, reordered, state.keys))
    assert games_of(env) == before


def test_nothing_is_read_from_games_that_were_not_dealt() -> None:
    env = BatchEnv(SHORT, 2)
    env.set_game(0, Game(SHORT, 1))
    assert env.game(0) == Game(SHORT, 1)
    for read in (lambda: env.game(1), lambda: env.get_state([0, 1])):
        with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
            read()
