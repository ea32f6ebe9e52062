"""The features forecast-1: expected values of each card, from a forecast of the opponents' cards.

The cards of the opponents are predicted as the bot ``predictor`` predicts them. The expected value
of a card is given by its components, since a network weights them better than a fixed formula. The
features of the table are what matters beyond single cards: scores, columns, prizes, and the values
of the prizes to the opponents.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import DeclaredFeatures, Float32Array, RowWriter
from mindup_agents.features.hand import card_features
from mindup_agents.features.position import write_seat
from mindup_agents.features.table import table_features
from mindup_agents.features.workspace import feature_workspace, make_feature_arrays
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    OpponentBeliefs,
    make_opponent_beliefs,
    predict_cards,
    update_beliefs,
    update_predicted_probabilities,
)
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Rules

ForecastArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games, KnownCards, FeatureWorkspace and OpponentBeliefs."""

FORECAST_SAMPLES = 16
"""Sampled hands per turn from which the opponents' cards are predicted."""
PRIOR = 0.2, 0.3, 0.5
"""The probabilities of the models random, greedy and planner before any play."""


class ForecastFeatures(RowWriter):
    """Expected values of each card, from a forecast of the opponents' cards.

    They come with a summary of scores, columns and prizes instead of the whole observation.
    """

    name = "forecast-1"
    least_rows = 16

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        return DeclaredFeatures(table_features(config, NUM_MODELS), card_features())

    def allocate(self, rows: int) -> None:
        super().allocate(rows)
        self._beliefs = make_opponent_beliefs(self._config, rows, FORECAST_SAMPLES, PRIOR)
        self._workspace = make_feature_arrays(self._config, self._beliefs.model_probabilities)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        self._beliefs.model_probabilities[given.episode_start] = 0
        fill_forecast(self.arrays, given.random_bits, out)

    @property
    def arrays(self) -> ForecastArrays:
        """The games and beliefs of the rows that were read last."""
        return (*self._observed.arrays, self._workspace, tuple(self._beliefs))


@kernel
def fill_forecast(
    arrays: ForecastArrays,
    random_bits: npt.NDArray[np.uint64],
    out: Float32Array,
) -> None:
    """Fills ``out`` (B, size)."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    workspace, beliefs = feature_workspace(arrays[3]), OpponentBeliefs(*arrays[4])
    formulas = workspace.formulas
    for g in range(len(out)):
        update_beliefs(games, g, beliefs)
        predict_cards(rules, games, known, g, random_bits[g], formulas, beliefs)
        update_predicted_probabilities(rules, games, g, formulas, beliefs)
        write_seat(rules, games, known, g, 0, workspace, out[g])
