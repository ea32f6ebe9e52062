"""The features raw-1: the raw observation, for comparisons with the features that know more."""

import numpy as np

from mindup_agents.features.base import (
    NO_CARD,
    DeclaredEncoder,
    DeclaredFeatures,
    Float32Array,
    features_of,
)
from mindup_agents.features.plain import mask_error, observation_features, observation_scales
from mindup_agents.heuristics.observed_games import ObservedGames
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of


class RawFeatures(DeclaredEncoder):
    """The observation; of each card only which one it is, so that it has weights of its own."""

    name = "raw-1"
    least_rows = 512

    def __init__(self, config: GameConfig) -> None:
        self._scales = observation_scales(layout_of(config))
        super().__init__(config)

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        cards = ["card: which one"] * config.num_cards
        return DeclaredFeatures(observation_features(config), features_of(cards))

    def allocate(self, rows: int) -> None:
        self._observed = ObservedGames(self._config, rows)

    def read(self, given: ActArguments) -> None:
        self._observed.read(given.observation)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        allowed = given.action_mask != 0
        in_hand = layout_of(self._config).views(given.observation)["hand"]
        wrong = np.flatnonzero((allowed & (in_hand == 0)).any(axis=1))
        if wrong.size:
            raise mask_error(int(wrong[0]), in_hand[wrong[0]], given.action_mask[wrong[0]])
        table, slots, hand = self.shape.split(out)
        np.multiply(given.observation, self._scales, out=table)
        slots[:] = 0
        hand[:] = NO_CARD
        rows, cards = np.nonzero(allowed)
        places = np.arange(len(rows)) - np.searchsorted(rows, rows)  # from 0 in each row
        slots[rows, places, cards] = 1
        hand[rows, places] = cards
