"""The base class of the bots that choose by compiled code."""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import EXPECTED_POINTS
from mindup_agents.heuristics.card_values import make_workspace
from mindup_agents.heuristics.observed_games import make_known_games, read_games
from mindup_env.agent import ActArguments, check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.engine.state import Float64Array, Int64Array


class HeuristicBot(ABC):
    """Reads a batch of observations into games; subclasses choose the cards."""

    _unit = EXPECTED_POINTS

    def __init__(self, config: GameConfig) -> None:
        self._config = config
        self._workspace = make_workspace(config)
        self._allocate(0)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        read = self.read(ActArguments(observation, action_mask, episode_start, random_bits))
        actions = np.zeros(len(observation), np.int64)
        self._choose(read, actions)
        return actions

    def read(self, given: ActArguments) -> ActArguments:
        """Reads the observations into games; returns the arguments, checked and contiguous."""
        check_act_arguments(self._config, given)
        given = ActArguments._make(map(np.ascontiguousarray, given))
        if len(given.observation) != len(self._card_values):
            self._allocate(len(given.observation))
        read_games(self._config, given.observation, self._known)
        return given

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The unit, and the values (B, num_cards) of the cards in each row."""
        return self._unit, self._card_values

    def _allocate(self, rows: int) -> None:
        """Makes the arrays for a batch of so many rows; any memory starts empty."""
        self._known = make_known_games(self._config, rows)
        self._card_values: Float64Array = np.zeros((rows, self._config.num_cards))

    @abstractmethod
    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        """Fills ``actions`` (B,) and ``self._card_values`` for the games in ``self._known``."""
