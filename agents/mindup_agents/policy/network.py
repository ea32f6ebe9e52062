"""The architecture of all policies, in NumPy.

One layer reads the features of the table. Each card of the hand is then evaluated given its output,
with the same weights in every slot. The PyTorch network that is trained computes the same. Its
value head is in the policy files too, but is not needed to play.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import FeatureShape

FloatArray = npt.NDArray[np.floating]
Tensors = dict[str, npt.NDArray[np.float32]]

ACTIVATION = "relu"


class Widths(NamedTuple):
    """The widths of the hidden layers.

    Attributes:
        table: the layer that reads the features of the table.
        card: the two layers that read the features of a card.
        value: the layer of the value head.
    """

    table: int = 64
    card: int = 64
    value: int = 64


def tensor_shapes(shape: FeatureShape, widths: Widths) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a policy; weights are (outputs, inputs)."""
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


class NumpyNetwork:
    """Computes logits in the precision ``dtype``."""

    def __init__(self, shape: FeatureShape, tensors: Tensors, dtype: type[np.floating]) -> None:
        self._shape = shape
        self._tensors = {name: tensor.astype(dtype) for name, tensor in tensors.items()}

    def logits(self, rows: npt.NDArray[np.float32]) -> FloatArray:
        """The logits (B, slots) for feature rows (B, size); -inf for empty slots."""
        shape = self._shape
        held = rows[:, shape.hand_begins :] >= 0
        row_of_card = held.nonzero()[0]
        slots = rows[:, shape.cards_begin : shape.hand_begins].reshape(*held.shape, shape.card)
        table = _relu(self._linear("table", rows[:, : shape.cards_begin]))
        context = table @ self._tensors["context.weight"].T
        cards = _relu(self._linear("card", slots[held]) + context[row_of_card])
        cards = _relu(self._linear("hidden", cards))
        logits = np.full(held.shape, -np.inf, cards.dtype)
        logits[held] = cards @ self._tensors["logit.weight"][0]
        return logits

    def _linear(self, layer: str, values: FloatArray) -> FloatArray:
        weight, bias = self._tensors[f"{layer}.weight"], self._tensors[f"{layer}.bias"]
        return values.astype(weight.dtype, copy=False) @ weight.T + bias


def _relu(values: FloatArray) -> FloatArray:
    return np.maximum(values, 0)
