"""The form of a bot that thinks in compiled code about what its seats see."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import POINTS
from mindup_agents.heuristics.observed_games import Sight, SightTable
from mindup_agents.heuristics.workspace import Room, make_room
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int64Array


class ThinkingBot(ABC):
    """Reads a batch of observations into games; how it chooses then is up to its subclass."""

    def __init__(self, config: GameConfig) -> None:
        self._config = config
        self._room: tuple[Any, ...] = tuple(make_room(config))
        self._make_memory(0)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],  # noqa: ARG002  # the hand is in the observation too
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        if len(observation) != self._sight.rows:
            self._make_memory(len(observation))
        self._sight.read(observation)
        actions = np.zeros(len(observation), np.int64)
        self._choose(observation, new_game, words, actions)
        return actions

    def weigh(self) -> tuple[str, npt.NDArray[np.floating]]:
        """What the cards (num_cards,) were worth in the last row, for whoever asks."""
        return POINTS, self._room[Room._fields.index("values")].copy()

    def _make_memory(self, rows: int) -> None:
        self._sight = Sight(self._config, rows)

    @property
    def _table(self) -> SightTable:
        return self._sight.table

    @abstractmethod
    def _choose(
        self,
        observation: npt.NDArray[np.int8],
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
        actions: Int64Array,
    ) -> None:
        """Fills ``actions`` (B,) for what ``self._table`` has read."""


class ForgetfulBot(ThinkingBot):
    """Chooses by a kernel alone: it remembers nothing and leaves nothing to chance."""

    _kernel: ClassVar["staticmethod[[SightTable, tuple[Any, ...], Int64Array], None]"]

    def _choose(
        self,
        observation: npt.NDArray[np.int8],  # noqa: ARG002
        new_game: npt.NDArray[np.bool_],  # noqa: ARG002
        words: npt.NDArray[np.uint64],  # noqa: ARG002
        actions: Int64Array,
    ) -> None:
        self._kernel(self._table, self._room, actions)
