"""The state of a game is small, and is made of arrays that are declared."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from mindup_env import GameConfig
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch


@pytest.mark.parametrize("num_players", range(2, 7))
def test_a_game_takes_less_than_a_kibibyte(num_players: int) -> None:
    batch = Batch.empty(GameConfig(num_players, num_objectives=5), 10)
    assert sum(field.nbytes for field in batch.fields) / 10 < 1024


class _Declared(NamedTuple):
    of_dtype: Annotated[np.ndarray[Any, np.dtype[np.int8]], "N"]
    of_type: Annotated[list[np.int8], "N", 2]
    """Has the arguments of ``NDArray`` since NumPy 2.5: the type of the entries alone."""


def test_arrays_are_made_as_any_numpy_declares_them() -> None:
    made: tuple[Any, ...] = allocate(_Declared, None, N=3)
    for array, shape in zip(made, [(3,), (3, 2)], strict=True):
        assert (array.dtype, array.shape) == (np.int8, shape)
