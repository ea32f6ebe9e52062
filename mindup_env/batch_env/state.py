"""The state of some games of a batch, to return to, and full states as vectors."""

from dataclasses import fields
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import Arrays, flatten, make_observations
from mindup_env.batch_env.kernels import observe_all
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int8Array, Int64Array
from mindup_env.game import Game
from mindup_env.observation import StateLayout, layout_of
from mindup_env.observation.state_writer import write_states


class BatchState:
    """A copy of n games, with the keys that decide what is dealt after them.

    ``BatchEnv.get_state`` and ``belief.sample`` make states. Nothing can change one, so its games
    are possible. A pickle holds the games as plain data, and loading it checks them as
    ``Game.from_dict`` does.
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
        fields = cast("tuple[npt.NDArray[Any], ...]", tuple(self._games))
        return Games._make(map(_read_only, fields))

    @property
    def keys(self) -> Keys:
        """What decides the deals after these games (n, 4), read-only."""
        return _read_only(self._keys)

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return Game._of(Batch.of(self._config, self._games).pick([index]))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        games = [self.game(index).to_dict() for index in range(len(self._keys))]
        return _load_state, (self._config.to_dict(), games, self._keys.tolist())


def make_state(config: GameConfig, games: Games, keys: Keys) -> BatchState:
    """A state of games that the rules lead to, in arrays that nothing else writes to."""
    state = object.__new__(BatchState)
    state._config, state._games, state._keys = config, games, keys
    return state


def _load_state(config: Any, games: list[Any], keys: list[Any]) -> BatchState:
    """A state from a pickle, checked."""
    own = GameConfig.from_dict(config)
    loaded = [Game.from_dict(game) for game in games]
    for game in loaded:
        _refuse_other_config(game.config, own)
    batches = [Batch(own, 0), *(game._batch for game in loaded)]
    none = make_keys(0, 0)
    of_games = [
        make_keys(seed, 1, slot, episode, agent_seed=agent_seed)
        for (seed, slot, episode, agent_seed), _ in zip(keys, loaded, strict=True)
    ]
    joined = (np.concatenate(field) for field in zip(*(b.arrays[1] for b in batches), strict=True))
    return make_state(own, Games._make(joined), np.concatenate([none, *of_games]))


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    # The flag of an ordinary view could be set back.
    return np.asarray(array.data.toreadonly())


def read_state(batch: Batch, keys: Keys, places: Int64Array) -> BatchState:
    """A copy of the games at ``places``."""
    return make_state(batch.config, batch.pick(places).games, keys[places])


def dealt_state(config: GameConfig, keys: Keys) -> BatchState:
    """The games that ``keys`` (n, 4) deal, before their first turns."""
    batch = Batch(config, len(keys))
    kernels.deal_all(batch.arrays, keys)
    return make_state(config, batch.games, keys.copy())


def check_state(config: GameConfig, places: Int64Array, state: Any) -> None:
    """Refuses a state that is not of this config, or not for so many places."""
    _refuse_repeated(places)
    if not isinstance(state, BatchState):
        raise ValueError(f"state must be a BatchState, as get_state returns it, not {state!r}")
    _refuse_other_config(state.config, config)
    if len(state._keys) != len(places):
        raise ValueError(f"{len(state._keys)} games do not fit into {len(places)} places")


def observe_game(game: Game) -> Arrays:
    """What the seats see of a game: observation (P, size) and action_mask (P, num_cards)."""
    layout = layout_of(game.config)
    arrays = make_observations(layout, 1)
    observe_all(game._batch.arrays, tuple(layout.offsets), flatten(arrays))
    return {name: array[0] for name, array in arrays.items()}


class FullStates:
    """Arrays for the states, made when they are first needed and written over after that."""

    def __init__(self, layout: StateLayout, num_games: int) -> None:
        self._num_games, self._size = num_games, layout.size
        self._all_games = np.ones(num_games, np.bool_)
        self._buffers: dict[int, Int8Array] = {}  # by the number of views of each game

    def read(self, seen: Arrays, views: int) -> Int8Array:
        """The states (N, views, size) of what all seats see: the first view, or that of each."""
        if views not in self._buffers:
            self._buffers[views] = np.zeros((self._num_games, views, self._size), np.int8)
        states = self._buffers[views]
        write_states(seen["observation"], seen["action_mask"], self._all_games, states)
        return states[:]  # a view: users can change the shape of what they have


def read_places(indices: Any, num_places: int) -> Int64Array:
    """The indices as an array (n,); others than whole numbers from 0 on are refused."""
    try:
        places = np.asarray(indices)
    except ValueError:  # lists of different lengths
        places = np.asarray(None)
    if places.ndim != 1 or (places.dtype.kind not in "iu" and places.size):
        raise ValueError(f"indices must be a list of whole numbers, not {indices!r}")
    outside = places[(places < 0) | (places >= num_places)]
    if outside.size:
        raise ValueError(f"an index must be 0 to {num_places - 1}, not {outside[0]}")
    return places.astype(np.int64)


def _refuse_repeated(places: Int64Array) -> None:
    if len(places) < 2:
        return
    numbers = np.bincount(places)
    if numbers.max(initial=0) > 1:
        raise ValueError(
            f"index {numbers.argmax()} is given {numbers.max()} times; each game needs a place of "
            "its own"
        )


def _refuse_other_config(config: GameConfig, own: GameConfig) -> None:
    if config is own or config == own:
        return
    differences = []
    for field in fields(own):
        theirs, ours = getattr(config, field.name), getattr(own, field.name)
        if theirs != ours:
            alike = str(theirs) == str(ours)  # decks are shown by their size
            difference = (
                f"another {field.name}" if alike else f"{field.name} is {theirs}, not {ours}"
            )
            differences.append(difference)
    raise ValueError(f"the state is of games with another config: {', '.join(differences)}")
