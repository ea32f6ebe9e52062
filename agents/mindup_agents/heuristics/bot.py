"""The form of a bot that thinks in compiled code about what its seats see."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import POINTS
from mindup_agents.heuristics.observed_games import ObservedArrays, ObservedGames
from mindup_agents.heuristics.workspace import Workspace, make_workspace
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int64Array


class HeuristicBot(ABC):
    """Reads a batch of observations into games; how it chooses then is up to its subclass."""

    def __init__(self, config: GameConfig) -> None:
        self._config = config
        self._workspace: tuple[Any, ...] = tuple(make_workspace(config))
        self._make_memory(0)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],  # noqa: ARG002  # the hand is in the observation too
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        if len(observation) != self._observed.rows:
            self._make_memory(len(observation))
        self._observed.read(observation)
        actions = np.zeros(len(observation), np.int64)
        self._choose(observation, episode_start, random_bits, actions)
        return actions

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """What the cards (num_cards,) were worth in the last row, for whoever asks."""
        return POINTS, self._workspace[Workspace._fields.index("values")].copy()

    def _make_memory(self, rows: int) -> None:
        self._observed = ObservedGames(self._config, rows)

    @property
    def _arrays(self) -> ObservedArrays:
        return self._observed.arrays

    @abstractmethod
    def _choose(
        self,
        observation: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        actions: Int64Array,
    ) -> None:
        """Fills ``actions`` (B,) for what ``self._arrays`` has read."""


class StatelessBot(HeuristicBot):
    """Chooses by a kernel alone: it remembers nothing and leaves nothing to chance."""

    _kernel: ClassVar["staticmethod[[ObservedArrays, tuple[Any, ...], Int64Array], None]"]

    def _choose(
        self,
        observation: npt.NDArray[np.int8],  # noqa: ARG002
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002
        random_bits: npt.NDArray[np.uint64],  # noqa: ARG002
        actions: Int64Array,
    ) -> None:
        self._kernel(self._arrays, self._workspace, actions)
