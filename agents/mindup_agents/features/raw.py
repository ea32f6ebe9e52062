"""The features raw-1: the observation itself."""

import numpy as np

from mindup_agents.features.base import NO_CARD, FeatureShape, Float32Array, RowEncoder
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of


class RawFeatures(RowEncoder):
    """The observation; of each card only which one it is, so that it has weights of its own."""

    name = "raw-1"

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self._scales = layout_of(config).scales

    @staticmethod
    def _shape_for(config: GameConfig) -> FeatureShape:
        return FeatureShape(layout_of(config).size, config.num_cards, config.largest_hand)

    def _allocate(self, rows: int) -> None:
        pass

    def _write(self, given: ActArguments, out: Float32Array) -> None:
        allowed = given.action_mask != 0
        in_hand = layout_of(self._config).views(given.observation)["hand"] != 0
        for row in np.flatnonzero((allowed & ~in_hand).any(axis=1))[:1]:
            held, named = ((np.flatnonzero(each[row]) + 1).tolist() for each in (in_hand, allowed))
            raise ValueError(
                f"row {row} of action_mask must allow only cards of `hand` in the observation: "
                f"{held}, not {named}"
            )
        table, slots, hand = self.shape.split(out)
        np.multiply(given.observation, self._scales, out=table[:, : len(self._scales)])
        slots[:] = 0
        hand[:] = NO_CARD
        rows, cards = np.nonzero(allowed)
        places = np.arange(len(rows)) - np.searchsorted(rows, rows)  # from 0 in each row
        slots[rows, places, cards] = 1
        hand[rows, places] = cards
