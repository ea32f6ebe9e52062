"""The features memory-1: the observation, and how well models of the opponents predicted them.

The network that reads them has models of how an opponent chooses its cards, and learns them. After
each turn it is told to ``remember`` its predictions; by Bayes' rule, the cards that were then
played make each model more or less likely for each opponent. So it knows its opponents better from
turn to turn, though an observation does not have the history of plays.
"""

import numpy as np

from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_agents.features.raw import RawFeatures
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of

MEMORY_MODELS = 3
"""How many models of an opponent there are."""
PRIOR_SHARE = 0.02
"""Of equal probabilities, mixed in each turn: a model may fit one part of a game only."""
LEAST_PROBABILITY = 1e-4
"""Of a card that was played: no model is ruled out by one card."""


class MemoryFeatures(RawFeatures):
    """The observation as raw-1 has it, and the probability of each model of each opponent.

    Without predictions to remember, all models stay equally likely.
    """

    name = "memory-1"

    @staticmethod
    def _shape_for(config: GameConfig) -> FeatureShape:
        raw = RawFeatures._shape_for(config)
        return raw._replace(table=raw.table + (config.num_players - 1) * MEMORY_MODELS)

    def _allocate(self, rows: int) -> None:
        opponents, cards = self._config.num_players - 1, self._config.num_cards
        of_models = rows, opponents, MEMORY_MODELS
        self._models = np.full(of_models, 1 / MEMORY_MODELS, np.float32)
        self._predicted = np.ones((*of_models, cards), np.float32)

    def remember(self, plays: Float32Array) -> None:
        """Takes what the network predicted from the last rows, see ``FeatureEncoder``."""
        self._predicted[:] = plays

    def _write(self, given: ActArguments, out: Float32Array) -> None:
        super()._write(given, out)
        models = self._models
        models *= self._chances_of_played(given)
        models /= models.sum(2, keepdims=True)
        models *= 1 - PRIOR_SHARE
        models += PRIOR_SHARE / MEMORY_MODELS
        models[given.episode_start] = 1 / MEMORY_MODELS
        of_table = out[:, len(self._scales) : self.shape.table]
        of_table[:] = models.reshape(of_table.shape)

    def _chances_of_played(self, given: ActArguments) -> Float32Array:
        """How likely each model found the last card of each opponent (B, P - 1, models)."""
        seen = layout_of(self._config).views(given.observation)
        players = self._config.num_players
        numbers = np.arange(2, players + 1)[:, None]  # of the opponents, as the row has them
        is_own = seen["row_players"][:, None] == numbers  # (B, P - 1, P places)
        prizes = np.argsort(seen["row"], axis=1, kind="stable")[:, -players:]  # (B, P)
        played = np.take_along_axis(prizes, is_own.argmax(2), axis=1)
        chances = np.take_along_axis(self._predicted, played[..., None, None], axis=3)[..., 0]
        # The first prizes of a game were played by nobody.
        return np.where(is_own.any(2, keepdims=True), chances + LEAST_PROBABILITY, 1)
