"""The architecture of all policies: the widths of the layers, and the names of the tensors.

One layer reads the features of the table. Each card of the hand is then evaluated given its output,
with the same weights in every slot. ``compiled_network`` computes it to play; the PyTorch network
that is trained computes the same.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import CodeKind, find_code
from mindup_env.engine.arrays import shapes_of

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


def shapes_in_files(
    compiled: type[tuple[Any, ...]], named: object, **sizes: int
) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a network, as a file has it: weights are (outputs, inputs).

    The fields of the compiled network declare them: ``card_weight`` is the tensor ``card.weight``.
    """
    shapes = shapes_of(compiled, named, **sizes)
    return {".".join(name.rsplit("_", 1)): shape[::-1] for name, shape in shapes.items()}


def build_network(spec: str, encoder_shape: Any, widths: Widths) -> Any:
    """The PyTorch module of a user; it gets the widths if it has a parameter of this name."""
    from torch import nn  # noqa: PLC0415  # policies of the package play without PyTorch

    network = find_code(NETWORK, spec).build(encoder_shape, widths=widths)
    if not isinstance(network, nn.Module):
        raise ValueError(f"network {spec!r} must make a torch.nn.Module, not {network!r}")
    return network
