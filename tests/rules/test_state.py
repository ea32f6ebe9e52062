"""The state of a game is small, and a copy of it is a copy of a few arrays."""

import numpy as np
import pytest

from mindup_env import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys


@pytest.mark.parametrize("num_players", range(2, 7))
def test_a_game_takes_less_than_a_kibibyte(num_players: int) -> None:
    batch = Batch(GameConfig(num_players, num_objectives=5), 10)
    assert sum(field.nbytes for field in batch.arrays[1]) / 10 < 1024


def test_some_games_of_a_batch_can_be_picked() -> None:
    batch = Batch(GameConfig(), 4)
    kernels.deal_all(batch.arrays, make_keys(0, 4))
    picked = batch.pick([2, 0])
    for field, mine in zip(batch.arrays[1], picked.arrays[1], strict=True):
        assert np.array_equal(mine, field[[2, 0]])
        assert not np.shares_memory(mine, field)
