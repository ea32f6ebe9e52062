"""Features of several ids side by side, such as ``raw-1+forecast-1``."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from mindup_agents.features.base import DeclaredFeatures, Float32Array, RowWriter
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig

JOINT = "+"
"""Between the ids."""


class CombinedFeatures(RowWriter):
    """The features of the table of all parts, and in each slot those of all parts."""

    def __init__(self, config: GameConfig, parts: Sequence[type[RowWriter]]) -> None:
        self.name = JOINT.join(part.name for part in parts)
        self._writers = [part(config) for part in parts]
        super().__init__(config)

    def declare(self, config: GameConfig) -> DeclaredFeatures:
        tables, cards = zip(*(each.declare(config) for each in self._writers), strict=True)
        return DeclaredFeatures([*chain(*tables)], [*chain(*cards)])

    def allocate(self, rows: int) -> None:
        self._rows = [np.zeros((rows, each.shape.size), np.float32) for each in self._writers]
        for writer in self._writers:
            writer.allocate(rows)

    def read(self, given: ActArguments) -> None:
        for writer in self._writers:
            writer.read(given)

    def remember(self, plays: Float32Array) -> None:
        for writer in self._writers:
            writer.remember(plays)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        table, slots, hand = self.shape.split(out)
        table_begin = card_begin = 0
        for writer, rows in zip(self._writers, self._rows, strict=True):
            writer.write(given, rows)
            shape = writer.shape
            of_table, of_slots, hand[:] = shape.split(rows)
            table[:, table_begin : table_begin + shape.table] = of_table
            slots[..., card_begin : card_begin + shape.card] = of_slots
            table_begin, card_begin = table_begin + shape.table, card_begin + shape.card
