"""Models of the opponents: what their cards say about them (Bayes' rule), and networks as models.

The networks are numbered after the other models. Each imitates a strong bot, and reads the position
of the opponent's seat, in a game whose hidden cards are sampled.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.champion.last_turn import GamesBefore, add_played_cards, games_before
from mindup_agents.champion.seat_networks import (
    SeatNetworkArrays,
    SeatNetworks,
    read_seat,
    seat_networks,
    write_card_probabilities,
)
from mindup_agents.heuristics.determinization import sample_determinization
from mindup_agents.heuristics.formulas import NUM_MODELS
from mindup_agents.heuristics.observed_games import KnownGames, ObservedArrays
from mindup_agents.heuristics.opponent_model import (
    RANDOM_CARD_PROBABILITY,
    OpponentBeliefs,
    predict_cards,
    samples_needed,
    update_beliefs,
)
from mindup_agents.heuristics.playout import NO_RANDOM_CARD, PlayoutState, draw_index
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called, kernel
from mindup_env.engine.state import Games

FIRST_NETWORK = NUM_MODELS
"""The number of the first network as a model."""


@kernel
def judge_models(
    now: ObservedArrays,
    before: GamesBefore,
    networks_: SeatNetworkArrays,
    beliefs_: tuple[Any, ...],
    random_bits: npt.NDArray[np.uint64],
) -> None:
    """Updates the beliefs of B games by the cards of the last turn."""
    games, (known, sampled) = Games(*now[1]), games_before(before)
    networks, beliefs = seat_networks(networks_), OpponentBeliefs(*beliefs_)
    for g in range(len(random_bits)):
        if add_played_cards(games, known, g, sampled):
            predict_with_networks(known, g, sampled, random_bits[g], networks, beliefs)
        else:
            beliefs.card_probabilities[g] = 1.0  # says nothing about the models
        update_beliefs(games, g, beliefs)


@called
def predict_with_networks(
    known: KnownGames,
    g: int,
    sampled: KnownGames,
    row_bits: np.uint64,
    networks: SeatNetworks,
    beliefs: OpponentBeliefs,
) -> None:
    """Does what ``predict_cards`` does, for the networks too, in the same sampled hands."""
    predict_cards(known, g, sampled, row_bits, networks.workspace.formulas, beliefs)
    for sample in range(beliefs.num_samples):
        sample_determinization(sampled, g, row_bits, sample, beliefs.shuffled)
        for opponent in range(1, known.rules.num_players):
            needed = samples_needed(sampled, g, opponent, beliefs)
            if sample < needed:
                add_network_cards(known, g, opponent, 1 / needed, networks, beliefs)


@called
def add_network_cards(
    known: KnownGames,
    g: int,
    opponent: int,
    weight: float,
    networks: SeatNetworks,
    beliefs: OpponentBeliefs,
) -> None:
    """Adds the cards of the networks in the hand of a sample, as ``add_formula_cards``.

    The column values are those of the game.
    """
    share = (1 - RANDOM_CARD_PROBABILITY) * weight
    read_seat(known, g, opponent, networks)
    hand = known.games.hands[g, opponent]
    for model in range(FIRST_NETWORK, len(beliefs.prior)):
        network = model - FIRST_NETWORK
        probabilities = networks.card_probabilities[opponent, network, -1, : bitset.size(hand)]
        write_card_probabilities(network, networks, probabilities)
        predicted = beliefs.card_probabilities[g, opponent, model]
        for slot in range(len(probabilities)):
            card = bitset.nth_lowest(hand, slot)
            predicted[card] += share * probabilities[slot]


@called
def draw_network_cards(
    known: KnownGames, playout: PlayoutState, sample_bits: np.uint64, networks: SeatNetworks
) -> None:
    """Replaces the first cards of the opponents whose model is a network."""
    games = known.games
    for opponent in range(1, known.rules.num_players):
        network = playout.models[opponent] - FIRST_NETWORK
        slips = playout.random_bits[games.clock[0], opponent] != NO_RANDOM_CARD
        if network >= 0 and not slips:
            hand = games.hands[0, opponent]
            place = predict_sampled_hand(known, opponent, network, networks)
            probabilities = networks.card_probabilities[
                opponent, network, place, : bitset.size(hand)
            ]
            block = streams.philox(
                np.uint64(0), np.uint64(opponent), np.uint64(0), np.uint64(5), sample_bits
            )
            slot = draw_index(probabilities, block[0])
            playout.first_cards[opponent] = bitset.nth_lowest(hand, slot)


@called
def predict_sampled_hand(
    known: KnownGames, opponent: int, network: int, networks: SeatNetworks
) -> int:
    """The place in ``networks.card_probabilities`` of those of an opponent in game 0.

    The opponent knows of the hidden cards only its own. If that is one at most, as after the first
    round, its cards are predicted once for all sampled games in which it is the same.
    """
    hand, several = known.games.hands[0, opponent], networks.is_computed.shape[2] - 1
    place, hidden = several, hand & ~known.cards[0, opponent]
    if known.num_hidden[0, opponent] == 0:
        place = several - 1
    elif known.num_hidden[0, opponent] == 1:
        place = bitset.lowest(hidden)
    if not networks.is_computed[opponent, network, place]:
        networks.is_computed[opponent, network, place] = place != several
        probabilities = networks.card_probabilities[opponent, network, place, : bitset.size(hand)]
        read_seat(known, 0, opponent, networks)
        write_card_probabilities(network, networks, probabilities)
    return place
