"""The architecture of all policies in compiled code, for one row of features at a time.

The order of every sum depends on the row alone, so the result for a row is the same in every batch.
In NumPy the last bits of a product depend on the size of the batch.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_agents.policy.network import Tensors, Widths, shapes_in_files
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, compiled, compiled_disjoint, kernel
from mindup_env.settings.checks import check_array

Indices = npt.NDArray[np.uint64]
"""Without a sign, so that no code checks whether they count from the end."""


class CompiledNetworks(NamedTuple):
    """K networks of one shape. Before the declared axes, every array has one for the networks."""

    table_weight: Annotated[Float32Array, "table_features", "table"]
    table_bias: Annotated[Float32Array, "table"]
    card_weight: Annotated[Float32Array, "card_features", "card"]
    card_bias: Annotated[Float32Array, "card"]
    context_weight: Annotated[Float32Array, "table", "card"]
    hidden_weight: Annotated[Float32Array, "card", "card"]
    hidden_bias: Annotated[Float32Array, "card"]
    logit_weight: Annotated[Float32Array, "card", 1]
    critic_weight: Annotated[Float32Array, "state", "value"]
    critic_bias: Annotated[Float32Array, "value"]
    value_weight: Annotated[Float32Array, "value", 1]
    value_bias: Annotated[Float32Array, 1]


class Activations(NamedTuple):
    """The activations for one row: scratch."""

    state: Annotated[Float32Array, "state"]  # of the table, then the mean of the cards
    context: Annotated[Float32Array, "card"]  # what the cards read of the table
    card: Annotated[Float32Array, "card"]  # the first layer of one card
    cards: Annotated[Float32Array, "slots", "card"]  # the second layer of each card
    value: Annotated[Float32Array, "value"]
    logits: Annotated[Float32Array, "slots"]
    nonzero: Annotated[Indices, "most_inputs"]  # the inputs of a layer that are not 0


def tensor_shapes(shape: FeatureShape, widths: Widths) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a policy; weights are (outputs, inputs)."""
    sizes = {"table_features": shape.table, "card_features": shape.card}
    return shapes_in_files(CompiledNetworks, widths, **sizes, state=widths.table + widths.card)


def stack_networks(tensors: list[Tensors]) -> CompiledNetworks:
    def stacked(name: str) -> Float32Array:
        transposed = [each[name.replace("_", ".")].T for each in tensors]
        return np.ascontiguousarray(np.stack(transposed), np.float32)

    return CompiledNetworks(**{name: stacked(name) for name in CompiledNetworks._fields})


def make_activations(networks: CompiledNetworks, shape: FeatureShape) -> Activations:
    """Scratch for networks that read rows of ``shape``.

    Raises:
        ValueError: if the networks do not; compiled code would read outside their arrays.
    """
    widths = Widths(
        table=networks.table_bias.shape[-1],
        card=networks.card_bias.shape[-1],
        value=networks.critic_bias.shape[-1],
    )
    for name, expected in tensor_shapes(shape, widths).items():
        own = getattr(networks, name.replace(".", "_"))[0].T
        check_array(f"the tensor {name}", own, expected, kind="float32")

    state = widths.table + widths.card
    sizes = {**widths._asdict(), "state": state, "most_inputs": max(shape.table, shape.card, state)}
    return allocate(Activations, shape, **sizes)


@kernel
def evaluate_rows(
    networks_: tuple[Any, ...],
    activations: tuple[Any, ...],
    rows: Float32Array,
    logits: Float32Array,
    values: Float32Array,
) -> None:
    """Fills what the first network makes of rows (B, size); outputs without rows are left out.

    These are ``logits`` (B, slots), with -inf in empty slots, and ``values`` (B,).
    """
    networks, at = CompiledNetworks(*networks_), Activations(*activations)
    for row in range(len(rows)):
        cards = count_cards(rows[row], len(at.cards))
        read_row(networks, 0, rows[row], cards, at)
        if len(logits):
            compute_logits(networks, 0, cards, at)
            logits[row, :] = -np.inf
            start(at.logits[:cards], logits[row])
        if len(values):
            values[row] = compute_value(networks, 0, at)


@compiled
def count_cards(row: Float32Array, slots: int) -> int:
    """The number of cards of the hand, which a row (size,) has in its first slots."""
    hand, cards = row[len(row) - slots :], 0
    while cards < slots and hand[cards] >= 0:
        cards += 1
    return cards


@called
def read_row(
    networks: CompiledNetworks, network: int, row: Float32Array, cards: int, at: Activations
) -> None:
    """Fills ``at.state`` and ``at.cards`` for a row (size,) with so many cards.

    The mean of the cards is 0 for an empty hand.
    """
    table, slot = networks.table_weight.shape[1], networks.card_weight.shape[1]
    width = networks.table_bias.shape[1]
    start(networks.table_bias[network], at.state)
    multiply(row[:table], networks.table_weight[network], at.nonzero, at.state)
    rectify(at.state[:width])
    start(networks.card_bias[network], at.context)
    multiply(at.state[:width], networks.context_weight[network], at.nonzero, at.context)
    mean = at.state[width:]
    mean[:] = 0
    for place in range(cards):
        start(at.context, at.card)
        features = row[table + place * slot : table + (place + 1) * slot]
        multiply(features, networks.card_weight[network], at.nonzero, at.card)
        rectify(at.card)
        hidden = at.cards[place]
        start(networks.hidden_bias[network], hidden)
        multiply(at.card, networks.hidden_weight[network], at.nonzero, hidden)
        rectify(hidden)
        for unit in range(len(mean)):
            mean[unit] += hidden[unit]
    for unit in range(len(mean)):
        mean[unit] /= np.float32(max(cards, 1))


@called
def compute_logits(networks: CompiledNetworks, network: int, cards: int, at: Activations) -> None:
    """Fills ``at.logits`` of so many cards, after ``read_row``."""
    for place in range(cards):
        at.logits[place] = dot(at.cards[place], networks.logit_weight[network, :, 0])


@called
def compute_value(networks: CompiledNetworks, network: int, at: Activations) -> float:
    """The value of the position, after ``read_row``."""
    start(networks.critic_bias[network], at.value)
    multiply(at.state, networks.critic_weight[network], at.nonzero, at.value)
    rectify(at.value)
    value = dot(at.value, networks.value_weight[network, :, 0])
    return float(value + networks.value_bias[network, 0])


@compiled_disjoint
def multiply(
    inputs: Float32Array, weights: Float32Array, nonzero: Indices, outputs: Float32Array
) -> None:
    """Adds ``inputs`` (n,) @ ``weights`` (n, m) to the first m of ``outputs``.

    Most features and half of the activations are 0, and are left out. The inner loop runs over the
    outputs, which a processor computes several at a time without a change in the order of any sum.
    Four inputs at once need fewer loads and stores of the outputs.
    """
    count = 0
    for i in range(len(inputs)):
        nonzero[count] = i
        count += inputs[i] != 0
    blocks_end = count // 4 * 4
    for k in range(0, blocks_end, 4):
        a, b, c, d = nonzero[k], nonzero[k + 1], nonzero[k + 2], nonzero[k + 3]
        first, second, third, fourth = inputs[a], inputs[b], inputs[c], inputs[d]
        for j in range(weights.shape[1]):
            outputs[j] += (first * weights[a, j] + second * weights[b, j]) + (
                third * weights[c, j] + fourth * weights[d, j]
            )
    for k in range(blocks_end, count):
        i = nonzero[k]
        factor = inputs[i]
        for j in range(weights.shape[1]):
            outputs[j] += factor * weights[i, j]


@compiled
def dot(values: Float32Array, weights: Float32Array) -> np.float32:
    total = np.float32(0)
    for i in range(len(values)):
        total += values[i] * weights[i]
    return total


@compiled_disjoint
def start(values: Float32Array, outputs: Float32Array) -> None:
    """Copies ``values`` to the first of ``outputs``."""
    for j in range(len(values)):
        outputs[j] = values[j]


@compiled
def rectify(values: Float32Array) -> None:
    for j in range(len(values)):
        values[j] = max(values[j], np.float32(0))
