"""What the seats of many games see: the arrays that are filled, and what fills them."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.engine.batch import Batch
from mindup_env.engine.compiler import called, scalar_kernel, typed_once
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.game import Game
from mindup_env.observation.layout import Layout, Offsets, layout_of
from mindup_env.observation.writer import scratch_size, write_masks, write_observations

Arrays = dict[str, npt.NDArray[Any]]


class SeenArrays(NamedTuple):
    """What every seat of N games sees, flat, and where its parts are."""

    at: Offsets
    observations: Int8Array  # (N * num_players * size,)
    masks: Int8Array  # (N * num_players * num_cards,)
    scratch: Int8Array  # (scratch_size,) for one vector


class Seen:
    """What every seat of N games sees.

    Attributes:
        arrays (SeenArrays): the arrays, as kernels write them.
        by_seat (Arrays): views of observation (N, P, size) and action_mask (N, P, num_cards).
    """

    def __init__(self, layout: Layout, num_games: int, arrays: SeenArrays | None = None) -> None:
        players = layout.config.num_players
        cards = layout.config.num_cards
        sizes = num_games * players * np.array([layout.size, cards])
        self.arrays = arrays or SeenArrays(
            layout.offsets,
            *(np.zeros(size, np.int8) for size in (*sizes, scratch_size(layout.size))),
        )
        self._games = layout, num_games
        self.by_seat: Arrays = {
            "observation": self.arrays.observations.reshape(num_games, players, layout.size),
            "action_mask": self.arrays.masks.reshape(num_games, players, cards),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has views of its own arrays, instead of copies of the views."""
        return Seen, (*self._games, self.arrays)


def observe(batch: Batch) -> Arrays:
    """What the seats see: observation (N, P, size) and action_mask (N, P, num_cards)."""
    layout = layout_of(batch.config)
    seen = Seen(layout, len(batch))
    observe_some(batch.rules, batch.games, np.arange(len(batch)), seen.arrays)
    return seen.by_seat


def observe_game(game: Game) -> Arrays:
    """The same of one game: (P, size) and (P, num_cards)."""
    return {name: array[0] for name, array in observe(game.to_batch()).items()}


@typed_once
@scalar_kernel
def observe_some(rules: Rules, games: Games, indices: Int64Array, seen: SeenArrays) -> None:
    """Writes what the seats of the games at ``indices`` (n,) see."""
    for g in indices:
        observe_games(rules, games, g, g + 1, seen)


@called
def observe_games(rules: Rules, games: Games, first: int, last: int, seen: SeenArrays) -> None:
    """Writes what every seat sees of the games from ``first`` to ``last - 1``."""
    # Writes run ahead, but what is seen of the games from ``last`` on may have to stay.
    seats = last * rules.num_players
    observations = seen.observations[: seats * seen.at.size]
    masks = seen.masks[: seats * len(rules.card_colours)]
    for g in range(first, last):
        write_observations(rules, games, g, seen.at, seen.scratch, observations)
        write_masks(rules, games, g, masks)
