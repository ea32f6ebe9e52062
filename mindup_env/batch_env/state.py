"""The state of some games of a batch, to return to."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import Arrays, flatten, make_observations
from mindup_env.batch_env.kernels import observe_places
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array
from mindup_env.game import Game
from mindup_env.observation import layout_of


class BatchState:
    """A copy of n games, with the keys that decide what is dealt after them.

    ``BatchEnv.get_state`` and ``belief.sample`` make states. Nothing can change one, so its games
    are possible.
    """

    _config: GameConfig
    _games: Games
    _keys: Keys

    def __init__(self) -> None:
        raise TypeError(
            "a BatchState is made by BatchEnv.get_state or belief.sample; BatchEnv.set_game puts a "
            "Game into a batch"
        )

    @property
    def config(self) -> GameConfig:
        """The rules of the games."""
        return self._config

    @property
    def games(self) -> Games:
        """The arrays of the games, read-only."""
        arrays: tuple[Any, ...] = tuple(self._games)
        return Games._make(map(_read_only, arrays))

    @property
    def keys(self) -> Keys:
        """What decides the deals after these games (n, 4), read-only."""
        return _read_only(self._keys)

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return Game._of(Batch(self._config, self._games).pick([index]))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self


def make_state(config: GameConfig, games: Games, keys: Keys) -> BatchState:
    """A state of games that the rules lead to, in arrays that nothing else writes to."""
    state = object.__new__(BatchState)
    state._config, state._games, state._keys = config, games, keys
    return state


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    # The flag of an ordinary view could be set back.
    return np.asarray(array.data.toreadonly())


def dealt_state(config: GameConfig, keys: Keys) -> BatchState:
    """The games that ``keys`` (n, 4) deal, before their first turns."""
    batch = Batch(config, len(keys))
    kernels.deal_all(batch.arrays, keys)
    return make_state(config, batch.games, keys.copy())


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
    if len(state._keys) != len(places):
        raise ValueError(f"{len(state._keys)} games do not fit into {len(places)} places")


def observe_game(game: Game) -> Arrays:
    """What the seats see of a game: observation (P, size) and action_mask (P, num_cards)."""
    return {name: array[0] for name, array in observe_batch(game._batch).items()}


def observe_batch(batch: Batch) -> Arrays:
    """The same of N games: observation (N, P, size) and action_mask (N, P, num_cards)."""
    layout, places = layout_of(batch.config), np.arange(len(batch.games.clock))
    arrays = make_observations(layout, len(places))
    observe_places(batch.arrays, places, tuple(layout.offsets), flatten(arrays))
    return arrays


def read_places(indices: Any, num_places: int) -> Int64Array:
    """The indices as an array (n,); others than whole numbers from 0 on are refused."""
    places = np.asarray(indices)
    if places.ndim != 1 or (places.dtype.kind not in "iu" and places.size):
        raise ValueError(f"indices must be a list of whole numbers, not {indices!r}")
    outside = places[(places < 0) | (places >= num_places)]
    if outside.size:
        raise ValueError(f"an index must be 0 to {num_places - 1}, not {outside[0]}")
    return places.astype(np.int64)
