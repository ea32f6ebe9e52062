"""The one architecture of all policies, in NumPy.

What is on the table is read once; each card of the hand is then judged in its light, by the same
weights in every slot. The network that learners train, in PyTorch, computes the same; its value
of the position is in the files too, but playing needs no value.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Shape

Floats = npt.NDArray[np.floating]
Tensors = dict[str, npt.NDArray[np.float32]]

ACTIVATION = "relu"


class Widths(NamedTuple):
    """Of the hidden layers."""

    table: int = 64
    card: int = 64
    value: int = 64


def tensor_shapes(shape: Shape, widths: Widths) -> dict[str, tuple[int, ...]]:
    """The tensors of a policy; a weight is (outputs, inputs)."""
    table, card, value = widths
    return {
        "table.weight": (table, shape.table),
        "table.bias": (table,),
        "card.weight": (card, shape.card),
        "card.bias": (card,),
        "context.weight": (card, table),
        "hidden.weight": (card, card),
        "hidden.bias": (card,),
        "logit.weight": (1, card),
        "critic.weight": (value, table + card),
        "critic.bias": (value,),
        "value.weight": (1, value),
        "value.bias": (1,),
    }


class Judge:
    """Judges cards, computing in the precision ``dtype``."""

    def __init__(self, shape: Shape, tensors: Tensors, dtype: type[np.floating]) -> None:
        self._shape = shape
        self._tensors = {name: tensor.astype(dtype) for name, tensor in tensors.items()}

    def logits(self, rows: npt.NDArray[np.float32]) -> Floats:
        """What rows of inputs (B, size) make of each slot (B, slots): -inf where it is empty."""
        shape = self._shape
        held = rows[:, shape.hand_begins :] >= 0
        row_of_card = held.nonzero()[0]
        slots = rows[:, shape.cards_begin : shape.hand_begins].reshape(*held.shape, shape.card)
        seen = _relu(self._linear("table", rows[:, : shape.cards_begin]))
        context = seen @ self._tensors["context.weight"].T
        cards = _relu(self._linear("card", slots[held]) + context[row_of_card])
        cards = _relu(self._linear("hidden", cards))
        logits = np.full(held.shape, -np.inf, cards.dtype)
        logits[held] = cards @ self._tensors["logit.weight"][0]
        return logits

    def _linear(self, layer: str, values: Floats) -> Floats:
        weight, bias = self._tensors[f"{layer}.weight"], self._tensors[f"{layer}.bias"]
        return values.astype(weight.dtype, copy=False) @ weight.T + bias


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0)
