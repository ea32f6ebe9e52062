"""The state of some games of a batch, to return to; and what the seats of other games see."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.kernels import FlatSeen, observe_places
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array
from mindup_env.game import Game
from mindup_env.observation import Layout, layout_of
from mindup_env.observation.writer import scratch_size

Arrays = dict[str, npt.NDArray[Any]]


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


def state_of_game(config: GameConfig, game: Any, keys: Keys) -> BatchState:
    """The state with one game of a user; anything but a game of this config is refused."""
    if not isinstance(game, Game):
        raise ValueError(f"game must be a Game, not {game!r}")
    refuse_other_config("the game", game.config, config)
    return BatchState(config, game._batch.games, keys)


def check_state(config: GameConfig, places: Int64Array, state: Any) -> None:
    """Refuses a state that is not of this config, or not for so many different places."""
    numbers = np.bincount(places)
    if numbers.max(initial=0) > 1:
        raise ValueError(
            f"index {numbers.argmax()} is given {numbers.max()} times; each game needs a place of "
            "its own"
        )
    if not isinstance(state, BatchState):
        raise ValueError(f"state must be a BatchState, as get_state returns it, not {state!r}")
    refuse_other_config("the state", state.config, config)
    if len(state.keys) != len(places):
        raise ValueError(f"{len(state.keys)} games do not fit into {len(places)} places")


def read_places(indices: Any, num_places: int) -> Int64Array:
    """The indices as an array (n,); others than whole numbers from 0 on are refused."""
    places = np.asarray(indices)
    if places.ndim != 1 or (places.dtype.kind not in "iu" and places.size):
        raise ValueError(f"indices must be a list of whole numbers, not {indices!r}")
    outside = places[(places < 0) | (places >= num_places)]
    if outside.size:
        raise ValueError(f"an index must be 0 to {num_places - 1}, not {outside[0]}")
    return places.astype(np.int64)


class Seen:
    """What every seat of N games sees.

    Attributes:
        flat (FlatSeen): the arrays, as kernels write them.
        by_seat (Arrays): views of observation (N, P, size) and action_mask (N, P, num_cards).
    """

    def __init__(self, layout: Layout, flat: FlatSeen) -> None:
        self._layout, self.flat = layout, flat
        players, cards = layout.config.num_players, layout.config.num_cards
        self.by_seat: Arrays = {
            "observation": flat[0].reshape(-1, players, layout.size),
            "action_mask": flat[1].reshape(-1, players, cards),
        }

    @classmethod
    def of_games(cls, layout: Layout, num_games: int) -> Self:
        """Arrays to be written."""
        seats = num_games * layout.config.num_players
        sizes = seats * layout.size, seats * layout.config.num_cards, scratch_size(layout.size)
        observation, mask, scratch = (np.zeros(size, np.int8) for size in sizes)
        return cls(layout, (observation, mask, scratch))

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has views of its own arrays, instead of copies of the views."""
        return Seen, (self._layout, self.flat)


def observe_game(game: Game) -> Arrays:
    """What the seats see of a game: observation (P, size) and action_mask (P, num_cards)."""
    return {name: array[0] for name, array in observe_batch(game._batch).items()}


def observe_batch(batch: Batch) -> Arrays:
    """The same of N games: observation (N, P, size) and action_mask (N, P, num_cards)."""
    layout, places = layout_of(batch.config), np.arange(len(batch.games.clock))
    seen = Seen.of_games(layout, len(places))
    observe_places(batch.arrays, places, tuple(layout.offsets), seen.flat)
    return seen.by_seat
