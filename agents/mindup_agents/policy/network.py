"""The architecture of all policies: the widths of the layers, and the tensors of the weights.

One layer reads the features of the table. Each card of the hand is then evaluated given its output,
with the same weights in every slot. ``compiled_network`` computes it to play; the PyTorch network
that is trained computes the same.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import FeatureShape
from mindup_env.agent import CodeKind, find_code

Tensors = dict[str, npt.NDArray[np.float32]]

ACTIVATION = "relu"

FIRST_NETWORK = "cards-1"
"""The name of this architecture in settings; descriptions of policies leave it out."""

NETWORK = CodeKind("network", "mynetworks:Net")
"""A network of a user: a class of a ``FeatureShape``."""


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


def build_network(spec: str, encoder_shape: Any, widths: Widths) -> Any:
    """The PyTorch module of a user; it gets the widths if it has a parameter of this name."""
    from torch import nn  # noqa: PLC0415  # policies of the package play without PyTorch

    network = find_code(NETWORK, spec).build(encoder_shape, widths=widths)
    if not isinstance(network, nn.Module):
        raise ValueError(f"network {spec!r} must make a torch.nn.Module, not {network!r}")
    return network
