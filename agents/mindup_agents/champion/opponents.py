"""Networks as models of the opponents, after the models that are formulas.

Each imitates a strong bot, and reads the position of the opponent's seat, in a game whose hidden
cards are sampled.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.network import (
    Activations,
    Tensors,
    Weights,
    make_activations,
    stack_networks,
    write_card_probabilities,
)
from mindup_agents.champion.position import position_shape, write_position
from mindup_agents.heuristics.card_values import ColumnValues, value_columns
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.predictions import (
    LastTurn,
    OpponentBeliefs,
    add_played_cards,
    share_of_sample,
)
from mindup_agents.heuristics.random_streams import NETWORK_CARD, draw_index, random_block
from mindup_agents.heuristics.worlds import NO_RANDOM_CARD, World, sample_determinization
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, kernel, typed_once
from mindup_env.engine.state import Float64Array

FIRST_NETWORK = len(MODELS)  # the number of the first network as a model
NONE, SEVERAL = -2, -1


class SeatNetworks(NamedTuple):
    """Networks that read the position of any seat: models of opponents, then that of values."""

    weights: Weights
    activations: Activations  # for the position that was read last
    # By each network for each opponent: for each card that is its only hidden one, then for NONE
    # and for SEVERAL. The last is never kept: it depends on all of them.
    card_probabilities: Annotated[Float64Array, "num_players", "networks", "num_hidden", "slots"]
    is_computed: Annotated[npt.NDArray[np.bool_], "num_players", "networks", "num_hidden"]


def make_seat_networks(config: GameConfig, networks: Sequence[Tensors]) -> SeatNetworks:
    shape = position_shape(config)
    values = {"weights": stack_networks(networks, shape), "activations": make_activations(shape)}
    sizes = {"networks": len(networks), "num_hidden": config.num_cards + 2, "slots": shape.slots}
    return allocate(SeatNetworks, config, values, **sizes)


@typed_once
@kernel
def predict_with_networks(turn: LastTurn, networks: SeatNetworks) -> None:
    """Adds the networks to what ``predict_last_turn`` filled, in the same sampled hands."""
    known = turn.before
    sampled = turn.sampled
    workspace = turn.workspace
    beliefs = turn.beliefs
    for g in range(len(turn.random_bits)):
        if add_played_cards(turn.now.games, known, g, sampled):
            columns = value_columns(known.rules, known.games, g, workspace.columns)
            for sample in range(beliefs.num_samples):
                sample_determinization(sampled, g, turn.random_bits[g], sample, beliefs.shuffled)
                for opponent in range(1, known.rules.num_players):
                    share = share_of_sample(sampled, g, opponent, sample, beliefs)
                    if share > 0:
                        row = networks.activations.row
                        write_position(known, g, opponent, columns, workspace, row)
                        add_network_cards(known, g, opponent, share, networks, beliefs)


@called
def add_network_cards(
    known: KnownGames,
    g: int,
    opponent: int,
    share: float,
    networks: SeatNetworks,
    beliefs: OpponentBeliefs,
) -> None:
    """Adds the cards of the networks in the hand of a sample, whose row was written."""
    hand = known.games.hands[g, opponent]
    size = bitset.size(hand)
    for model in range(FIRST_NETWORK, len(beliefs.prior)):
        network = model - FIRST_NETWORK
        probabilities = networks.card_probabilities[opponent, network, SEVERAL, :size]
        write_card_probabilities(networks.weights, network, networks.activations, probabilities)
        predicted = beliefs.card_probabilities[g, opponent, model]
        for slot, card in enumerate(bitset.members(hand)):
            predicted[card] += share * probabilities[slot]


@called
def draw_network_cards(
    world: World, sample: int, bits: np.uint64, columns: ColumnValues, networks: SeatNetworks
) -> None:
    """Replaces the first cards of the opponents whose model is a network."""
    known = world.played
    playout = world.playout
    for opponent in range(1, known.rules.num_players):
        network = playout.models[opponent] - FIRST_NETWORK
        slips = playout.random_bits[known.games.clock[0], opponent] != NO_RANDOM_CARD
        if network >= 0 and not slips:
            hand = known.games.hands[0, opponent]
            place = predict_sampled_hand(world, opponent, network, columns, networks)
            chances = networks.card_probabilities[opponent, network, place, : bitset.size(hand)]
            block = random_block(NETWORK_CARD, 0, opponent, bits)
            slot = draw_index(chances, block[0])
            world.first_cards[sample, opponent] = bitset.nth_lowest(hand, slot)


@called
def predict_sampled_hand(
    world: World, opponent: int, network: int, columns: ColumnValues, networks: SeatNetworks
) -> int:
    """The place in ``networks.card_probabilities`` of those of an opponent in a world.

    The opponent knows of the hidden cards only its own. If that is one at most, as after the first
    round, its cards are predicted once for all worlds in which it is the same.
    """
    known = world.played
    hand = known.games.hands[0, opponent]
    num_hidden = known.num_hidden[0, opponent]
    place = SEVERAL
    if num_hidden == 0:
        place = NONE
    elif num_hidden == 1:
        place = bitset.lowest(hand & ~known.cards[0, opponent])
    if not networks.is_computed[opponent, network, place]:
        networks.is_computed[opponent, network, place] = place != SEVERAL
        probabilities = networks.card_probabilities[opponent, network, place, : bitset.size(hand)]
        write_position(known, 0, opponent, columns, world.workspace, networks.activations.row)
        write_card_probabilities(networks.weights, network, networks.activations, probabilities)
    return place
