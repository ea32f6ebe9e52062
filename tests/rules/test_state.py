"""The state of a game is small, a copy of it is a copy of a few arrays, and it has one clock."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from mindup_env import GameConfig
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import cards_of_round, first_draw, first_turn, log_start
from mindup_env.engine.keys import make_keys
from mindup_env.engine.state import make_rules


@pytest.mark.parametrize("num_players", range(2, 7))
def test_a_game_takes_less_than_a_kibibyte(num_players: int) -> None:
    batch = Batch.empty(GameConfig(num_players, num_objectives=5), 10)
    assert sum(field.nbytes for field in batch.fields) / 10 < 1024


def test_some_games_of_a_batch_can_be_picked() -> None:
    batch = Batch.dealt(GameConfig(), make_keys(0, 4))
    picked = batch.pick([2, 0])
    for field, mine in zip(batch.fields, picked.fields, strict=True):
        assert np.array_equal(mine, field[[2, 0]])
        assert not np.shares_memory(mine, field)


class _Declared(NamedTuple):
    of_dtype: Annotated[np.ndarray[Any, np.dtype[np.int8]], "N"]
    of_type: Annotated[list[np.int8], "N", 2]
    """Has the arguments of ``NDArray`` since NumPy 2.5: the type of the entries alone."""


def test_arrays_are_made_as_any_numpy_declares_them() -> None:
    made: tuple[Any, ...] = allocate(_Declared, None, N=3)
    for array, shape in zip(made, [(3,), (3, 2)], strict=True):
        assert (array.dtype, array.shape) == (np.int8, shape)


@pytest.mark.parametrize("config", [GameConfig(), GameConfig(2, 0, 4, 2), GameConfig(3, 1, 1, 5)])
def test_the_clock_counts_turns_log_entries_and_draws(config: GameConfig) -> None:
    rules, turns, entries, drawn = make_rules(config), 0, 0, config.num_players * config.hand_size
    for round_ in range(config.num_rounds):
        assert (first_turn(rules, round_), log_start(rules, round_)) == (turns, entries)
        assert first_draw(rules, round_) == drawn
        cards = cards_of_round(rules, round_)
        for turn in range(config.turns_of(round_ + 1)):
            assert (rules.round_at[turns + turn], rules.turn_at[turns + turn]) == (round_, turn)
        turns, entries, drawn = turns + cards - 1, entries + cards, drawn + config.num_players
    assert turns == config.num_turns
    assert rules.round_at[turns] == config.num_rounds - 1
