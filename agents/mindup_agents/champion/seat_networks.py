"""Networks that read the position of any seat of a game in memory."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.compiled_network import (
    Activations,
    CompiledNetworks,
    Tensors,
    compute_logits,
    compute_value,
    make_activations,
    read_row,
    stack_networks,
)
from mindup_agents.champion.feature_shape import Float32Array
from mindup_agents.champion.position import position_shape, write_position
from mindup_agents.champion.position_workspace import (
    FeatureWorkspace,
    feature_workspace,
    make_feature_arrays,
)
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.workspace import Float64Array
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled


class SeatNetworks(NamedTuple):
    """Networks of one shape, with their scratch arrays."""

    networks: CompiledNetworks
    activations: Activations
    workspace: FeatureWorkspace
    row: Float32Array  # (size,) the features of the seat that was read last
    # By each network for each opponent: for each card that is its only hidden one, then for none
    # and for several. The last is never kept: it depends on all of them.
    card_probabilities: Float64Array  # (num_players, networks, num_cards + 2, slots)
    is_computed: npt.NDArray[np.bool_]  # (num_players, networks, num_cards + 2)


SeatNetworkArrays = tuple[Any, ...]
"""The fields of SeatNetworks as plain tuples, as kernels take them."""


def make_seat_networks(config: GameConfig, tensors: Sequence[Tensors]) -> SeatNetworkArrays:
    """Networks that read the features of positions."""
    networks, shape = stack_networks(tensors), position_shape(config)
    hidden_cards = config.num_players, len(tensors), config.num_cards + 2
    return (
        tuple(networks),
        tuple(make_activations(shape)),
        make_feature_arrays(config),
        np.zeros(shape.size, np.float32),
        np.zeros((*hidden_cards, shape.slots)),
        np.zeros(hidden_cards, bool),
    )


@compiled
def seat_networks(arrays: SeatNetworkArrays) -> SeatNetworks:
    return SeatNetworks(
        CompiledNetworks(*arrays[0]),
        Activations(*arrays[1]),
        feature_workspace(arrays[2]),
        *arrays[3:],
    )


@called
def read_seat(known: KnownGames, g: int, seat: int, networks: SeatNetworks) -> None:
    """Writes the features of ``seat``; what all players know, and column values, are up to date."""
    write_position(known, g, seat, networks.workspace, networks.row)


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


@called
def win_share_by_network(known: KnownGames, networks: SeatNetworks) -> float:
    """The win share of player 0 in game 0 that the last network expects."""
    read_seat(known, 0, 0, networks)
    cards, network = bitset.size(known.games.hands[0, 0]), len(networks.networks.table_bias) - 1
    read_row(networks.networks, network, networks.row, cards, networks.activations)
    # The networks are fitted to the win share minus an equal share.
    above_equal = compute_value(networks.networks, network, networks.activations)
    return above_equal + 1 / known.rules.num_players
