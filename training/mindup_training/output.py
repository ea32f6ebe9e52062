"""What networks return."""

from typing import NamedTuple

from torch import Tensor


class NetworkOutput(NamedTuple):
    """Of B rows of features.

    Attributes:
        logits: (B, slots) one for each card of the hand; meaningless in empty slots.
        cards: (B, slots) the card in each slot; -1 for none.
        values: (B,) the returns that the network expects.
        auxiliary: what the auxiliary loss of the network compares with its targets; None without.
        remembered: (B, ...) what the features remember in the next turn, without a gradient; for
            memory-1 the probability (B, players - 1, models, num_cards) of each card of each
            opponent, by each model; None without.
    """

    logits: Tensor
    cards: Tensor
    values: Tensor
    auxiliary: Tensor | None = None
    remembered: Tensor | None = None
