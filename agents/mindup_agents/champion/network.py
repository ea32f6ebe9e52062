"""The forward pass of the champion's networks in compiled code, for one row of features at a time.

One layer reads the features of the table. Each card of the hand is then evaluated given its output,
with the same weights in every slot. The order of every sum depends on the row alone, so the result
for a row is the same in every batch.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.feature_shape import FeatureShape, Float32Array
from mindup_env.engine.arrays import allocate, shapes_of
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Float64Array

Tensors = Mapping[str, Float32Array]  # weights by name, as PyTorch has them: (outputs, inputs)
# Widths of layers. Wider ones are slower in sampled games, and hardly more exact.
TABLE = 64
CARD = 32
VALUE_LAYER = 32
STATE = TABLE + CARD  # inputs of the layer for the value: the table, and the mean of the cards
Indices = npt.NDArray[np.uint64]  # unsigned: no code checks whether they count from the end


class Weights(NamedTuple):
    """K networks that read the same features. A layer has the axes of its inputs and outputs."""

    table_weight: Annotated[Float32Array, "K", "table", TABLE]
    table_bias: Annotated[Float32Array, "K", TABLE]
    context_weight: Annotated[Float32Array, "K", TABLE, CARD]
    card_weight: Annotated[Float32Array, "K", "card", CARD]
    card_bias: Annotated[Float32Array, "K", CARD]
    hidden_weight: Annotated[Float32Array, "K", CARD, CARD]
    hidden_bias: Annotated[Float32Array, "K", CARD]
    logit_weight: Annotated[Float32Array, "K", CARD, 1]
    critic_weight: Annotated[Float32Array, "K", STATE, VALUE_LAYER]
    critic_bias: Annotated[Float32Array, "K", VALUE_LAYER]
    value_weight: Annotated[Float32Array, "K", VALUE_LAYER, 1]
    value_bias: Annotated[Float32Array, "K", 1]


class Activations(NamedTuple):
    """One row of features, and the activations for it."""

    row: Annotated[Float32Array, "size"]
    state: Annotated[Float32Array, STATE]  # of the table, then the mean of the cards
    context: Annotated[Float32Array, CARD]  # the part of the table in the first layer of the cards
    card: Annotated[Float32Array, CARD]  # the first layer of one card
    cards: Annotated[Float32Array, "slots", CARD]  # the second layer of each card
    logits: Annotated[Float32Array, "slots"]
    value: Annotated[Float32Array, VALUE_LAYER]
    nonzero: Annotated[Indices, "most_inputs"]  # the inputs of a layer that are not 0


def tensor_shapes(shape: FeatureShape) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a network that reads such rows."""
    shapes = shapes_of(Weights, shape, K=1)
    return {name.replace("_", "."): sizes[:0:-1] for name, sizes in shapes.items()}


def stack_networks(networks: Sequence[Tensors], shape: FeatureShape) -> Weights:
    """The weights of networks that read rows of ``shape``."""
    weights = allocate(Weights, shape, K=len(networks))
    for name, array in weights._asdict().items():
        for number, tensors in enumerate(networks):
            array[number] = tensors[name.replace("_", ".")].T
    return weights


def make_activations(shape: FeatureShape) -> Activations:
    """Those for networks that read rows of ``shape``."""
    return allocate(Activations, shape, most_inputs=max(shape.table, shape.card, STATE))


@called
def forward(weights: Weights, k: int, cards: int, at: Activations) -> None:
    """Fills the last hidden layers of network ``k`` for the row, which has so many cards."""
    num_table = weights.table_weight.shape[1]
    size = weights.card_weight.shape[1]
    table = at.state[:TABLE]
    mean = at.state[TABLE:]
    # (table,) -> (TABLE,)
    inputs = at.row[:num_table]
    linear(inputs, weights.table_weight[k], weights.table_bias[k], at.nonzero, table)
    rectify(table)
    # (TABLE,) -> (CARD,)
    linear(table, weights.context_weight[k], weights.card_bias[k], at.nonzero, at.context)
    mean[:] = 0  # also that of an empty hand
    for slot in range(cards):
        # (card,) -> (CARD,)
        begin = num_table + slot * size
        features = at.row[begin : begin + size]
        linear(features, weights.card_weight[k], at.context, at.nonzero, at.card)
        rectify(at.card)
        # (CARD,) -> (CARD,)
        hidden = at.cards[slot]
        linear(at.card, weights.hidden_weight[k], weights.hidden_bias[k], at.nonzero, hidden)
        rectify(hidden)
        for unit in range(len(mean)):
            mean[unit] += hidden[unit]
    for unit in range(len(mean)):
        mean[unit] /= np.float32(max(cards, 1))


@called
def expected_value(weights: Weights, k: int, cards: int, at: Activations) -> float:
    """The value that network ``k`` gives the row, which has so many cards."""
    forward(weights, k, cards, at)
    # (TABLE + CARD,) -> (VALUE_LAYER,)
    linear(at.state, weights.critic_weight[k], weights.critic_bias[k], at.nonzero, at.value)
    rectify(at.value)
    # (VALUE_LAYER,) -> ()
    return float(dot(at.value, weights.value_weight[k, :, 0]) + weights.value_bias[k, 0])


@called
def write_card_probabilities(
    weights: Weights, k: int, at: Activations, probabilities: Float64Array
) -> None:
    """Fills the probabilities (cards,) that network ``k`` gives the cards of the row."""
    forward(weights, k, len(probabilities), at)
    logits = at.logits
    highest = np.float32(-np.inf)
    for slot in range(len(probabilities)):
        # (CARD,) -> ()
        logits[slot] = dot(at.cards[slot], weights.logit_weight[k, :, 0])
        highest = max(highest, logits[slot])
    total = 0.0
    for slot in range(len(probabilities)):
        probabilities[slot] = np.exp(logits[slot] - highest)
        total += probabilities[slot]
    for slot in range(len(probabilities)):
        probabilities[slot] /= total


@compiled
def linear(
    inputs: Float32Array,
    weight: Float32Array,
    bias: Float32Array,
    nonzero: Indices,
    outputs: Float32Array,
) -> None:
    """Fills ``outputs`` (m,): ``inputs`` (n,) @ ``weight`` (n, m) + ``bias`` (m,).

    Most features and half of the activations are 0, and are left out. The inner loop runs over the
    outputs, which a processor computes several at a time without a change in the order of any sum.
    """
    for j in range(len(outputs)):
        outputs[j] = bias[j]
    count = 0
    for i in range(len(inputs)):
        nonzero[count] = i
        count += inputs[i] != 0
    for k in range(count):
        i = nonzero[k]
        factor = inputs[i]
        for j in range(len(outputs)):
            outputs[j] += factor * weight[i, j]


@compiled
def dot(values: Float32Array, weights: Float32Array) -> np.float32:
    total = np.float32(0)
    for i in range(len(values)):
        total += values[i] * weights[i]
    return total


@compiled
def rectify(values: Float32Array) -> None:
    for j in range(len(values)):
        values[j] = max(values[j], np.float32(0))
