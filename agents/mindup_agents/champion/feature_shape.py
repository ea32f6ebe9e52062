"""The rows of features that the champion's networks read."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]

NO_CARD = -1.0  # the card of a slot that is empty


class FeatureShape(NamedTuple):
    """A row of features: those of the table, those of each slot of the hand, then the cards.

    Slots hold the cards of the hand in ascending order. The slots after them are empty: their
    features are 0 and their card is ``NO_CARD``.
    """

    table: int  # number of features of the table
    card: int  # of each slot
    slots: int  # number of slots, that of cards in the largest hand

    @property
    def hand_begins(self) -> int:
        """Where the card of each slot begins."""
        return self.table + self.slots * self.card

    @property
    def size(self) -> int:
        """The size of a row."""
        return self.hand_begins + self.slots

    def split(self, rows: Any) -> tuple[Any, Any, Any]:
        """Rows (..., size) as features of the table and of slots (..., slots, card), and cards.

        The card in a slot is the action that plays it, or ``NO_CARD``.
        """
        slots = rows[..., self.table : self.hand_begins]
        slots = slots.reshape(*rows.shape[:-1], self.slots, self.card)
        return rows[..., : self.table], slots, rows[..., self.hand_begins :]
