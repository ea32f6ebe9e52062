"""The state of some games of a batch, to return to."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array


class BatchState(NamedTuple):
    """A copy of n games, with the keys that decide what is dealt after them."""

    games: Games
    keys: Keys  # (n, 4)


def read_state(batch: Batch, keys: Keys, indices: Sequence[int] | Int64Array) -> BatchState:
    """A copy of the games at ``indices``."""
    places = np.asarray(indices, np.int64)
    return BatchState(batch.pick(places).games, keys[places])


def write_state(
    batch: Batch, keys: Keys, indices: Sequence[int] | Int64Array, state: BatchState
) -> None:
    """Puts the games of a state into the places ``indices``; another config is refused."""
    places = np.asarray(indices, np.int64)
    if len(places) != len(state.keys):
        raise ValueError(f"{len(state.keys)} games do not fit into {len(places)} places")
    fields = cast("tuple[npt.NDArray[np.generic], ...]", tuple(batch.games))
    new_fields = cast("tuple[npt.NDArray[np.generic], ...]", tuple(state.games))
    if [field.shape[1:] for field in fields] != [field.shape[1:] for field in new_fields]:
        raise ValueError(f"the state is of games with another config than {batch.config}")
    for field, new in zip((*fields, keys), (*new_fields, state.keys), strict=True):
        field[places] = new
