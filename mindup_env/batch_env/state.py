"""What the seats of games see, and the state of some games of a batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.kernels import FlatSeen, observe_places
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games
from mindup_env.game import Game
from mindup_env.observation import Layout, layout_of
from mindup_env.observation.writer import scratch_size

Arrays = dict[str, npt.NDArray[Any]]


class Seen:
    """What every seat of N games sees.

    Attributes:
        flat (FlatSeen): the arrays, as kernels write them.
        by_seat (Arrays): views of observation (N, P, size) and action_mask (N, P, num_cards).
    """

    def __init__(self, layout: Layout, num_games: int, flat: FlatSeen | None = None) -> None:
        players = layout.config.num_players
        cards = layout.config.num_cards
        sizes = num_games * players * np.array([layout.size, cards])
        observation, mask, scratch = flat or (
            np.zeros(size, np.int8) for size in (*sizes, scratch_size(layout.size))
        )
        self._games = layout, num_games
        self.flat = observation, mask, scratch
        self.by_seat: Arrays = {
            "observation": observation.reshape(num_games, players, layout.size),
            "action_mask": mask.reshape(num_games, players, cards),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has views of its own arrays, instead of copies of the views."""
        return Seen, (*self._games, self.flat)


def observe_batch(batch: Batch) -> Arrays:
    """What the seats of N games see: observation (N, P, size) and action_mask (N, P, num_cards)."""
    layout = layout_of(batch.config)
    places = np.arange(len(batch.games.clock))
    seen = Seen(layout, len(places))
    observe_places(batch.arrays, places, tuple(layout.offsets), seen.flat)
    return seen.by_seat


def observe_game(game: Game) -> Arrays:
    """The same of one game: (P, size) and (P, num_cards)."""
    return {name: array[0] for name, array in observe_batch(game._batch).items()}


@dataclass(frozen=True, eq=False)
class BatchState:
    """A copy of n games, with the keys that decide what is dealt after them.

    ``BatchEnv.get_state`` and ``belief.sample`` make states. Their arrays are not to be changed:
    compiled code relies on games that the rules lead to.
    """

    config: GameConfig
    games: Games
    keys: Keys  # (n, 4)

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return Game._of(Batch(self.config, self.games).pick([index]))


def dealt_state(config: GameConfig, keys: Keys) -> BatchState:
    """The games that ``keys`` (n, 4) deal, before their first turns."""
    batch = Batch(config, len(keys))
    kernels.deal_all(batch.arrays, keys)
    return BatchState(config, batch.games, keys.copy())
