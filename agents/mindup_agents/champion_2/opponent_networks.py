"""Networks as models of opponents, numbered after the other models.

Each imitates a strong bot. Its network reads the position of the opponent's seat, in a game whose
hidden cards are sampled.
"""

import numpy as np

from mindup_agents.champion_2.seat_networks import (
    SeatNetworks,
    read_seat,
    update_card_probabilities,
)
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    RANDOM_CARD_PROBABILITY,
    OpponentBeliefs,
)
from mindup_agents.heuristics.playout import NO_RANDOM_CARD, PlayoutState, uniform
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called
from mindup_env.engine.state import Games, Rules

FIRST_NETWORK = NUM_MODELS
"""The number of the first network as a model."""


@called
def add_network_cards(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    weight: float,
    networks: SeatNetworks,
    beliefs: OpponentBeliefs,
) -> None:
    """Adds the cards of the networks in the hands of a sample, as ``add_formula_cards``.

    The column values are those of the game.
    """
    share = (1 - RANDOM_CARD_PROBABILITY) * weight
    for opponent in range(1, rules.num_players):
        read_seat(rules, games, known, g, opponent, networks)
        hand = games.hands[g, opponent]
        for model in range(FIRST_NETWORK, len(beliefs.prior)):
            update_card_probabilities(model - FIRST_NETWORK, bitset.size(hand), networks)
            predicted = beliefs.card_probabilities[g, opponent, model]
            for slot in range(bitset.size(hand)):
                card = bitset.nth_lowest(hand, slot)
                predicted[card] += share * networks.card_probabilities[slot]


@called
def draw_network_cards(
    rules: Rules,
    games: Games,
    known: KnownCards,
    playout: PlayoutState,
    sample_bits: np.uint64,
    networks: SeatNetworks,
) -> None:
    """Replaces the first cards of the opponents whose model is a network."""
    for opponent in range(1, rules.num_players):
        network = playout.models[opponent] - FIRST_NETWORK
        slips = playout.random_bits[games.clock[0], opponent] != NO_RANDOM_CARD
        if network >= 0 and not slips:
            hand = games.hands[0, opponent]
            read_seat(rules, games, known, 0, opponent, networks)
            update_card_probabilities(network, bitset.size(hand), networks)
            block = streams.philox(
                np.uint64(0), np.uint64(opponent), np.uint64(0), np.uint64(5), sample_bits
            )
            remaining, slot = uniform(block[0]), 0
            while slot < bitset.size(hand) - 1:
                remaining -= networks.card_probabilities[slot]
                if remaining < 0:
                    break
                slot += 1
            playout.first_cards[opponent] = bitset.nth_lowest(hand, slot)
