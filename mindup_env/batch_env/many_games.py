"""What environments of many games share, on a CPU or a GPU."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindup_env.batch_env.state import BatchState
from mindup_env.checks import InputError, check_int, shown
from mindup_env.config import GameConfig, check_config, refuse_other_config
from mindup_env.engine import streams
from mindup_env.engine.batch import first_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of


class ManyGames(ABC):
    """N games, which can be copied, and replaced by others."""

    def __init__(self, config: GameConfig | None, num_envs: int, *, autoreset: bool) -> None:
        self.config = check_config(config or GameConfig())
        self.num_envs = check_int("num_envs", num_envs, 1)
        self.layout = layout_of(self.config)
        self.state_layout = state_layout_of(self.config)
        self._autoreset = autoreset
        self._dealt = False

    @property
    @abstractmethod
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy."""

    @property
    @abstractmethod
    def seen(self) -> dict[str, Any]:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return self.get_state([check_int("index", index, 0, self.num_envs - 1)]).game(0)

    def set_game(self, index: int, game: Game) -> dict[str, Any]:
        """Puts a copy of ``game`` into a place; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        if not isinstance(game, Game):
            raise InputError(f"game must be a Game, not {game!r}")
        refuse_other_config("the game", game.config, self.config)
        state = BatchState(self.config, game._batch.games, self.keys[[index]])
        return self.set_state([index], state)

    def get_state(self, indices: Sequence[int]) -> BatchState:
        """A copy of the games at ``indices``, for ``set_state``."""
        self._check_reset()
        return self._read(self._places(indices))

    def set_state(self, indices: Sequence[int], state: BatchState) -> dict[str, Any]:
        """Puts games into the places ``indices``; returns the observations of all games.

        Args:
            indices: different whole numbers from 0 to N - 1.
            state: what ``get_state`` or ``belief.sample`` returned. The state of another config is
                refused, and nothing changes.
        """
        self._check_reset()
        places = self._places(indices)
        if not isinstance(state, BatchState):
            raise InputError(f"state must be a BatchState, as get_state returns it, not {state!r}")
        refuse_other_config("the state", state.config, self.config)
        num_games = len(state.keys)
        if not num_games == len(places) == len(np.unique(places)):
            told = shown(places.tolist())
            raise InputError(f"{num_games} games need as many different indices, not {told}")
        self._write(places, state)
        return self.seen

    @abstractmethod
    def _read(self, places: Int64Array) -> BatchState: ...

    @abstractmethod
    def _write(self, places: Int64Array, state: BatchState) -> None:
        """Writes the games, and what is seen of them."""

    def _places(self, indices: Any) -> Int64Array:
        """The indices (n,); others than whole numbers from 0 to N - 1 are refused."""
        places = np.asarray(indices)
        is_list = places.ndim == 1 and (places.dtype.kind in "iu" or not places.size)
        last = self.num_envs - 1
        if not is_list or ((places < 0) | (places > last)).any():
            given = shown(indices)
            raise InputError(
                f"indices must be a list of whole numbers from 0 to {last}, not {given}"
            )
        return places.astype(np.int64)

    def _check_reset(self) -> None:
        if not self._dealt:
            raise InputError("reset() deals the first games; call it first")

    def _keys_to_deal(self, seed: int | Sequence[int] | None) -> Keys:
        """The keys of the games that ``reset`` deals."""
        if seed is None and self._dealt:
            keys = self.keys
            keys[:, streams.EPISODE] += np.uint64(1)
            return keys
        return first_keys(secrets.randbits(64) if seed is None else seed, self.num_envs)
