"""Copies of games, compiled: an interrupt finds all of them written or none."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.state import Games, Int64Array

GamesArrays = tuple[npt.NDArray[np.signedinteger], ...]
"""The fields of Games."""


@kernel
def copy_games(
    arrays: BatchArrays, keys: Keys, places: Int64Array, given: GamesArrays, given_keys: Keys
) -> None:
    """Writes games, and their keys, into the ``places`` (n,) of a batch."""
    games, new = Games(*arrays[1]), Games(*given)
    for g in range(len(places)):
        copy_game(new, g, games, places[g])
        copy_entries(given_keys[g], keys[places[g]])


@compiled
def copy_game(source: Games, g: int, target: Games, place: int) -> None:
    target.clock[place] = source.clock[g]
    target.start_turn[place] = source.start_turn[g]
    copy_entries(source.deck[g], target.deck[place])
    copy_entries(source.score_cards[g], target.score_cards[place])
    copy_entries(source.objectives[g], target.objectives[place])
    copy_entries(source.hands[g], target.hands[place])
    copy_entries(source.tableaux[g], target.tableaux[place])
    copy_entries(source.columns[g], target.columns[place])
    copy_entries(source.row[g], target.row[place])
    copy_entries(source.points[g], target.points[place])
    copy_entries(source.played[g], target.played[place])
    copy_entries(source.taken[g], target.taken[place])


@compiled
def copy_entries(
    source: npt.NDArray[np.signedinteger], target: npt.NDArray[np.signedinteger]
) -> None:
    """Without Numba's runtime, an array cannot be assigned to another one."""
    for i in range(source.size):
        target.flat[i] = source.flat[i]
