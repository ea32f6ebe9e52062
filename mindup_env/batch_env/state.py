"""The state of some games of a batch, to return to."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.mid_game import POSSIBLE
from mindup_env.engine.state import Games, Int64Array
from mindup_env.engine.streams import LAST_PLACE
from mindup_env.engine.validation import NUM_CHECKS, copy_games, find_impossible
from mindup_env.settings.checks import describe_array

_FIELDS = (*Games._fields, "keys")


class BatchState:
    """A copy of n games, with the keys that decide what is dealt after them.

    A state that ``BatchEnv.get_state`` or ``belief.sample`` returns is read-only. A state can also
    be built from other arrays; ``set_state`` then plays its games again, to check them.

    Attributes:
        config (GameConfig): the rules of the games.
        games (Games): their arrays.
        keys (Keys): what decides the deals after these games (n, 4).
    """

    def __init__(self, config: GameConfig, games: Games, keys: Keys) -> None:
        self._config, self._games, self._keys = config, games, keys
        self._possible = False

    @property
    def config(self) -> GameConfig:
        return self._config

    @property
    def games(self) -> Games:
        if not self._possible:
            return self._games
        fields = cast("tuple[npt.NDArray[Any], ...]", tuple(self._games))
        return Games._make(map(_read_only, fields))

    @property
    def keys(self) -> Keys:
        return _read_only(self._keys) if self._possible else self._keys

    def __reduce__(self) -> tuple[Any, ...]:
        return BatchState, (self.config, self.games, self.keys)


def possible_state(config: GameConfig, games: Games, keys: Keys) -> BatchState:
    """A state of games that are possible, with arrays that nothing else writes to."""
    state = BatchState(config, games, keys)
    state._possible = True
    return state


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    # The flag of an ordinary view could be set back.
    return np.asarray(array.data.toreadonly())


def read_state(batch: Batch, keys: Keys, places: Int64Array) -> BatchState:
    """A copy of the games at ``places``."""
    return possible_state(batch.config, batch.pick(places).games, keys[places])


def dealt_state(config: GameConfig, keys: Keys) -> BatchState:
    """The games that ``keys`` (n, 4) deal, before their first turns."""
    batch = Batch(config, len(keys))
    kernels.deal_all(batch.arrays, keys)
    return possible_state(config, batch.games, keys)


def write_state(
    batch: Batch, keys: Keys, indices: Sequence[int] | Int64Array, state: BatchState
) -> Int64Array:
    """Puts the games of a state into the places ``indices``, which are returned.

    Raises:
        ValueError: for other places, for a state of another config, and for games that the rules
            do not lead to. Then nothing has changed.
    """
    places = read_places(indices, len(keys))
    possible = check_state(batch, keys, places, state)
    # One call, so that an interrupt finds all games written or none.
    copy_games(batch.arrays, keys, places, tuple(possible._games), possible._keys)
    return places


def check_state(batch: Batch, keys: Keys, places: Int64Array, state: BatchState) -> BatchState:
    """The games for ``places`` of a batch that is like the one given, all of them possible.

    Raises:
        ValueError: as ``write_state``.
    """
    _refuse_repeated(places)
    if not isinstance(state, BatchState):
        raise ValueError(f"state must be a BatchState, as get_state returns it, not {state!r}")
    _refuse_other_config(state.config, batch.config)
    possible = state if state._possible else _checked_copy(batch, keys, state)
    if len(possible._keys) != len(places):
        raise ValueError(f"{len(possible._keys)} games do not fit into {len(places)} places")
    return possible


def _checked_copy(batch: Batch, keys: Keys, state: BatchState) -> BatchState:
    """A copy, because the owner of the state can share its arrays, also with another thread."""
    *games, new_keys = _copy_fields((*batch.games, keys), state)
    bounds = batch.config.round_score_bounds
    found = find_impossible(batch.arrays, tuple(games), new_keys, bounds)
    if found != POSSIBLE:
        _refuse_impossible(state, *divmod(found, NUM_CHECKS))
    return possible_state(batch.config, Games._make(field[:-1] for field in games), new_keys[:-1])


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


def _refuse_other_config(config: Any, own: GameConfig) -> None:
    if config is own or config == own:
        return
    if not isinstance(config, GameConfig):
        raise ValueError(f"the config of a state must be a GameConfig, not {config!r}")
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


def _copy_fields(own: Sequence[npt.NDArray[Any]], state: BatchState) -> list[npt.NDArray[Any]]:
    """Copies of the arrays, with room for one game more; other types and shapes are refused."""
    if not isinstance(state.games, Games):
        raise ValueError(f"the games of a state must be of the type Games, not {state.games!r}")
    given = (*state.games, state.keys)
    num_games = len(state.games.clock) if np.shape(state.games.clock) else 0
    copies = []
    for name, field, new in zip(_FIELDS, own, given, strict=True):
        shape = num_games, *field.shape[1:]
        if not isinstance(new, np.ndarray) or new.dtype != field.dtype or new.shape != shape:
            raise ValueError(
                f"`{name}` of a state of {num_games} games must be {field.dtype} of shape {shape}, "
                f"not {describe_array(new)}"
            )
        copied = np.empty((num_games + 1, *field.shape[1:]), field.dtype)
        copied[:-1] = new
        copies.append(copied)
    return copies


def _refuse_impossible(state: BatchState, game: int, wrong: int) -> None:
    name = _FIELDS[wrong]
    num_rounds, num_shown = state.games.objectives.shape[1:]
    accepted = {
        "deck": "each card once, first the cards that are in play",
        "score_cards": "each of 1 to 5 once in each of the rounds",
        "objectives": f"what a deal of {num_shown} objectives over {num_rounds} rounds can show",
        "clock": f"0 to {state.config.num_turns}, not {state.games.clock[game]}",
        "start_turn": f"0 to the clock, not {state.games.start_turn[game]}",
        "keys": f"seed, slot, episode and agent seed, slot and episode at most {LAST_PLACE}",
    }.get(name, "what the deal and the plays of the game lead to")
    raise ValueError(f"in game {game} of the state, `{name}` must be {accepted}")
