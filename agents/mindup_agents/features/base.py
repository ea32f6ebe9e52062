"""The form that all inputs of policy networks have."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

NO_CARD = -1.0
"""Stands for the card in a slot that the hand does not fill."""


class Shape(NamedTuple):
    """The sizes of a row: what is on the table, then each card of the hand, then which they are.

    The cards are in ascending order, and the slots after the last of them are empty.
    """

    table: int
    card: int  # of each slot
    slots: int

    @property
    def cards_begin(self) -> int:
        return self.table

    @property
    def hand_begins(self) -> int:
        return self.table + self.slots * self.card

    @property
    def size(self) -> int:
        return self.hand_begins + self.slots


class FeatureEncoder(Protocol):
    """Turns what seats see into rows of numbers, of the size of about 1.

    A row depends on what its seat has seen in this game and on the row's word alone.
    """

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> Shape: ...

    def fill(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: npt.NDArray[np.float32],
    ) -> None:
        """Fills ``out`` (B, size) from what an agent is given. Memory, if any, is kept by row."""
        ...
