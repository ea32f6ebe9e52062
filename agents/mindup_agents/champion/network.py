"""The networks in compiled code, for one row of features at a time.

One layer reads the features of the table. Each card of the hand is then evaluated given its output,
with the same weights in every slot. The order of every sum depends on the row alone, so the result
for a row is the same in every batch.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.position import position_shape, write_position
from mindup_agents.champion.position_parts import (
    FeatureShape,
    Float32Array,
)
from mindup_agents.heuristics.card_values import Workspace
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate, shapes_of
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Float64Array

Tensors = Mapping[str, Float32Array]
"""The weights of a network by name, as PyTorch has them: (outputs, inputs)."""
TABLE, CARD, VALUE_LAYER = 64, 32, 32
"""Widths of the layers for the table, each card, and the value. Sampled games read the networks:
wider ones are slower, and hardly more exact."""
STATE = TABLE + CARD
"""The inputs of the layer for the value: the table, and the mean of the cards."""
Indices = npt.NDArray[np.uint64]
"""Without a sign, so that no code checks whether they count from the end."""


class CompiledNetworks(NamedTuple):
    """K networks of one shape. Before the declared axes, every array has one for the networks."""

    table_weight: Annotated[Float32Array, "table", TABLE]
    table_bias: Annotated[Float32Array, TABLE]
    card_weight: Annotated[Float32Array, "card", CARD]
    card_bias: Annotated[Float32Array, CARD]
    context_weight: Annotated[Float32Array, TABLE, CARD]
    hidden_weight: Annotated[Float32Array, CARD, CARD]
    hidden_bias: Annotated[Float32Array, CARD]
    logit_weight: Annotated[Float32Array, CARD, 1]
    critic_weight: Annotated[Float32Array, STATE, VALUE_LAYER]
    critic_bias: Annotated[Float32Array, VALUE_LAYER]
    value_weight: Annotated[Float32Array, VALUE_LAYER, 1]
    value_bias: Annotated[Float32Array, 1]


class Activations(NamedTuple):
    """The activations for one row: scratch."""

    state: Annotated[Float32Array, STATE]  # of the table, then the mean of the cards
    context: Annotated[Float32Array, CARD]  # the part of the table in the first layer of the cards
    card: Annotated[Float32Array, CARD]  # the first layer of one card
    cards: Annotated[Float32Array, "slots", CARD]  # the second layer of each card
    value: Annotated[Float32Array, VALUE_LAYER]
    logits: Annotated[Float32Array, "slots"]
    nonzero: Annotated[Indices, "most_inputs"]  # the inputs of a layer that are not 0


def tensor_shapes(shape: FeatureShape) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a network that reads such rows."""
    shapes = shapes_of(CompiledNetworks, shape)
    return {name.replace("_", "."): sizes[::-1] for name, sizes in shapes.items()}


def stack_networks(tensors: Sequence[Tensors]) -> CompiledNetworks:
    def stacked(name: str) -> Float32Array:
        transposed = [each[name.replace("_", ".")].T for each in tensors]
        return np.ascontiguousarray(np.stack(transposed), np.float32)

    return CompiledNetworks(**{name: stacked(name) for name in CompiledNetworks._fields})


def make_activations(shape: FeatureShape) -> Activations:
    """Scratch for networks that read rows of ``shape``."""
    return allocate(Activations, shape, most_inputs=max(shape.table, shape.card, STATE))


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


@compiled
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


@compiled
def start(values: Float32Array, outputs: Float32Array) -> None:
    """Copies ``values`` to the first of ``outputs``."""
    for j in range(len(values)):
        outputs[j] = values[j]


@compiled
def rectify(values: Float32Array) -> None:
    for j in range(len(values)):
        values[j] = max(values[j], np.float32(0))


class SeatNetworks(NamedTuple):
    """Networks of one shape, with their scratch arrays."""

    networks: CompiledNetworks
    activations: Activations
    row: Float32Array  # (size,) the features of the seat that was read last
    # By each network for each opponent: for each card that is its only hidden one, then for none
    # and for several. The last is never kept: it depends on all of them.
    card_probabilities: Float64Array  # (num_players, networks, num_cards + 2, slots)
    is_computed: npt.NDArray[np.bool_]  # (num_players, networks, num_cards + 2)


SeatNetworkArrays = tuple[Any, ...]
"""The fields of SeatNetworks as plain tuples, as kernels take them."""


def make_seat_networks(config: GameConfig, tensors: Sequence[Tensors]) -> SeatNetworks:
    """Networks that read the features of positions."""
    shape = position_shape(config)
    hidden_cards = config.num_players, len(tensors), config.num_cards + 2
    return SeatNetworks(
        stack_networks(tensors),
        make_activations(shape),
        np.zeros(shape.size, np.float32),
        np.zeros((*hidden_cards, shape.slots)),
        np.zeros(hidden_cards, bool),
    )


def arrays_of(networks: SeatNetworks) -> SeatNetworkArrays:
    return tuple(networks.networks), tuple(networks.activations), *networks[2:]


@compiled
def seat_networks(arrays: SeatNetworkArrays) -> SeatNetworks:
    networks, activations, row, card_probabilities, is_computed = arrays
    return SeatNetworks(
        CompiledNetworks(*networks),
        Activations(*activations),
        row,
        card_probabilities,
        is_computed,
    )


@called
def read_seat(
    known: KnownGames, g: int, seat: int, workspace: Workspace, networks: SeatNetworks
) -> None:
    """Writes the features of ``seat``; what all players know, and column values, are up to date."""
    write_position(known, g, seat, workspace, networks.row)


@called
def win_share_by_network(known: KnownGames, workspace: Workspace, networks: SeatNetworks) -> float:
    """The win share of player 0 in game 0 that the last network expects."""
    read_seat(known, 0, 0, workspace, networks)
    cards, network = bitset.size(known.games.hands[0, 0]), len(networks.networks.table_bias) - 1
    read_row(networks.networks, network, networks.row, cards, networks.activations)
    # The networks are fitted to the win share minus an equal share.
    above_equal = compute_value(networks.networks, network, networks.activations)
    return above_equal + 1 / known.rules.num_players


@called
def write_card_probabilities(
    network: int, networks: SeatNetworks, probabilities: Float64Array
) -> None:
    """Fills ``probabilities`` (cards,) of the hand of the seat that was read."""
    cards = len(probabilities)
    read_row(networks.networks, network, networks.row, cards, networks.activations)
    compute_logits(networks.networks, network, cards, networks.activations)
    logits = networks.activations.logits
    highest, total = logits[0], 0.0
    for slot in range(cards):
        highest = max(highest, logits[slot])
    for slot in range(cards):
        probabilities[slot] = np.exp(logits[slot] - highest)
        total += probabilities[slot]
    for slot in range(cards):
        probabilities[slot] /= total
