"""What the seats of games see; and the state of some games of a batch, to return to."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.kernels import FlatSeen, observe_places
from mindup_env.checks import shown
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array
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
        players, cards = layout.config.num_players, layout.config.num_cards
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
    layout, places = layout_of(batch.config), np.arange(len(batch.games.clock))
    seen = Seen(layout, len(places))
    observe_places(batch.arrays, places, tuple(layout.offsets), seen.flat)
    return seen.by_seat


def observe_game(game: Game) -> Arrays:
    """The same of one game: observation (P, size) and action_mask (P, num_cards)."""
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


def state_of_game(config: GameConfig, game: Any, keys: Keys) -> BatchState:
    """The state with one game of a user; anything but a game of this config is refused."""
    if not isinstance(game, Game):
        raise ValueError(f"game must be a Game, not {game!r}")
    refuse_other_config("the game", game.config, config)
    return BatchState(config, game._batch.games, keys)


def check_state(config: GameConfig, places: Int64Array, state: Any) -> None:
    """Refuses a state that is not of this config, or not for so many different places."""
    if not isinstance(state, BatchState):
        raise ValueError(f"state must be a BatchState, as get_state returns it, not {state!r}")
    refuse_other_config("the state", state.config, config)
    if not len(state.keys) == len(places) == len({*places.tolist()}):
        raise ValueError(
            f"{len(state.keys)} games need as many different indices, not {shown(places.tolist())}"
        )


def read_places(indices: Any, num_places: int) -> Int64Array:
    """The indices as an array (n,); others than whole numbers from 0 on are refused."""
    places = np.asarray(indices)
    is_list = places.ndim == 1 and (places.dtype.kind in "iu" or not places.size)
    if not is_list or ((places < 0) | (places >= num_places)).any():
        raise ValueError(
            f"indices must be a list of whole numbers from 0 to {num_places - 1}, not "
            f"{shown(indices)}"
        )
    return places.astype(np.int64)
