"""Features padded to a number of players: one network then reads games of different tables."""

import numpy as np

from mindup_agents.features.base import (
    BatchedEncoder,
    DeclaredEncoder,
    FeatureNames,
    Float32Array,
)
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.observation.vector_layout import count_blocks


class PaddedEncoder(BatchedEncoder):
    """The features of an encoder in the places that they have in games with more players.

    The features of players that are not at the table are 0. One more feature for each player says
    who is. The encoder reads observations without padding, as all bots do.
    """

    def __init__(self, encoder: DeclaredEncoder, config: GameConfig, pad_to_players: int) -> None:
        self._encoder = encoder
        self._num_players = config.num_players
        count_blocks(config, pad_to_players)  # refuses too few players
        self.name, self.least_rows = encoder.name, encoder.least_rows
        declared = encoder.declare(config)
        names = declared.names(pad_to_players)
        self._seats_begin = len(names.table)
        seats = ("table: seats",) * pad_to_players
        super().__init__(config, FeatureNames((*names.table, *seats), names.card))
        kept_of_table, kept_of_card = (
            np.flatnonzero(
                [
                    feature.least_players <= config.num_players
                    for feature in features
                    if feature.least_players <= pad_to_players
                ]
            )
            for features in declared
        )
        slots = self.shape.cards_begin + self.shape.card * np.arange(self.shape.slots)
        cards = (slots[:, None] + kept_of_card).ravel()
        hand = np.arange(self.shape.hand_begins, self.shape.size)
        self._places = np.concatenate([kept_of_table, cards, hand])

    def allocate(self, rows: int) -> None:
        self._encoder.allocate(rows)
        self._unpadded = np.zeros((rows, self._encoder.shape.size), np.float32)

    def read(self, given: ActArguments) -> None:
        self._encoder.read(given)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        self._encoder.write(given, self._unpadded)
        out[:] = 0
        out[:, self._places] = self._unpadded
        out[:, self._seats_begin : self._seats_begin + self._num_players] = 1
