"""The arrays of the compiled network ``bidding-1``: its weights, and what it computes for a row."""

from typing import NamedTuple

import numpy as np

from mindup_agents.features.base import Float32Array
from mindup_agents.policy.bidding.facts import (
    CARD_FACTS,
    COLOUR_FACTS,
    HAND_FACTS,
    HIDDEN,
    PLAYER,
    PRIZE,
    BiddingFacts,
    bidding_shapes,
)
from mindup_agents.policy.network import Tensors, Widths
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine.state import Int64Array


class Weights(NamedTuple):
    """The tensors of the network; weights are (inputs, outputs)."""

    player_weight: Float32Array
    player_bias: Float32Array
    player_2_weight: Float32Array
    player_2_bias: Float32Array
    prize_weight: Float32Array
    prize_bias: Float32Array
    prize_player_weight: Float32Array
    bid_prize_weight: Float32Array
    bid_card_weight: Float32Array
    bid_colour_weight: Float32Array
    bid_hand_weight: Float32Array
    bid_player_weight: Float32Array
    bid_player_bias: Float32Array
    bid_2_weight: Float32Array
    bid_2_bias: Float32Array
    bid_score_weight: Float32Array
    table_weight: Float32Array
    table_bias: Float32Array
    own_prize_weight: Float32Array
    own_prize_bias: Float32Array
    card_weight: Float32Array
    card_bias: Float32Array
    context_weight: Float32Array
    hidden_weight: Float32Array
    hidden_bias: Float32Array
    logit_weight: Float32Array
    critic_weight: Float32Array
    critic_bias: Float32Array
    value_weight: Float32Array
    value_bias: Float32Array


class Scratch(NamedTuple):
    """What is computed for one row: P places, C cards."""

    table: Float32Array  # (size of the table + P * PLAYER,) with what is read of each player
    player: Float32Array  # (2 * block + middle + remembered models,)
    player_hidden: Float32Array  # (2 * PLAYER,)
    colours: Float32Array  # (P, colours, COLOUR_FACTS)
    points: Float32Array  # (P, colours) the score card that a colour has
    of_hand: Float32Array  # (C, HAND_FACTS) of one player
    hidden: Float32Array  # (C,) 1 for each card whose place is not public
    unseen: Float32Array  # (C,) those of them that are not in the viewer's hand
    prizes: Int64Array  # (P,) the cards of the row
    prize_facts: Float32Array  # (CARD_FACTS + COLOUR_FACTS,)
    prize: Float32Array  # (P, P prizes, HIDDEN)
    lower: Float32Array  # (P, C) the chance of a lower card, if all cards are equally likely
    chances: Float32Array  # (P, C) that a player plays each card
    of_models: Float32Array  # (P, models, C) the same by each model of the player
    places: Float32Array  # (P,)
    bid_prizes: Float32Array  # (P, HIDDEN) what each prize adds to the first layer of a card
    bid_colours: Float32Array  # (colours, HIDDEN) the same of its colour
    bid_base: Float32Array  # (HIDDEN,)
    bid: Float32Array  # (HIDDEN,)
    bid_2: Float32Array  # (HIDDEN,)
    scores: Float32Array  # (models, C)
    own_prizes: Float32Array  # (P, PRIZE)
    own: Float32Array  # (inputs of a card of the hand,)
    state: Float32Array  # (table + card,) of the table, then the mean of the cards
    context: Float32Array  # (card,)
    card: Float32Array  # (card,)
    card_2: Float32Array  # (card,)
    value: Float32Array  # (value,)
    nonzero: Int64Array  # (most inputs of a layer,)


def make_weights(tensors: Tensors, facts: BiddingFacts, widths: Widths) -> Weights:
    """The tensors as compiled code reads them.

    Raises:
        ValueError: if a tensor has another shape; compiled code would read outside of it.
    """
    found = {}
    for name, shape in bidding_shapes(facts, widths).items():
        if tensors[name].shape != shape:
            raise ValueError(
                f"the tensor {name} must be of the shape {shape}, not {tensors[name].shape}"
            )
        found[name.replace(".", "_")] = np.ascontiguousarray(tensors[name].T, np.float32)
    return Weights(**found)


def make_scratch(facts: BiddingFacts, widths: Widths) -> Scratch:
    places, cards, (table, card, value) = facts.places, facts.num_cards, widths

    def zeros(*sizes: int) -> Float32Array:
        return np.zeros(sizes, np.float32)

    own = bidding_shapes(facts, widths)["card.weight"][1]
    inputs = facts.size + places * PLAYER
    player = 2 * facts.block + facts.middle + facts.remembered
    return Scratch(
        table=zeros(inputs),
        player=zeros(player),
        player_hidden=zeros(2 * PLAYER),
        colours=zeros(places, NUM_COLOURS, COLOUR_FACTS),
        points=zeros(places, NUM_COLOURS),
        of_hand=zeros(cards, HAND_FACTS),
        hidden=zeros(cards),
        unseen=zeros(cards),
        prizes=np.zeros(places, np.int64),
        prize_facts=zeros(CARD_FACTS + COLOUR_FACTS),
        prize=zeros(places, places, HIDDEN),
        lower=zeros(places, cards),
        chances=zeros(places, cards),
        of_models=zeros(places, facts.models, cards),
        places=zeros(places),
        bid_prizes=zeros(places, HIDDEN),
        bid_colours=zeros(NUM_COLOURS, HIDDEN),
        bid_base=zeros(HIDDEN),
        bid=zeros(HIDDEN),
        bid_2=zeros(HIDDEN),
        scores=zeros(facts.models, cards),
        own_prizes=zeros(places, PRIZE),
        own=zeros(own),
        state=zeros(table + card),
        context=zeros(card),
        card=zeros(card),
        card_2=zeros(card),
        value=zeros(value),
        nonzero=np.zeros(max(inputs, player, own, table + card, HIDDEN * 2, PLAYER * 2), np.int64),
    )
