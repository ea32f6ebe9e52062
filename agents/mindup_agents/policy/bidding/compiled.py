"""The network ``bidding-1`` in compiled code, for one row of features at a time.

As in ``compiled_network``, the order of every sum depends on the row alone. What the network
computes is explained in ``mindup_training.bidding``, which trains it.
"""

from typing import Any

import numpy as np

from mindup_agents.features.base import Float32Array
from mindup_agents.policy.bidding.arrays import Scratch, Weights
from mindup_agents.policy.bidding.facts import CARD_FACTS, HAND_FACTS, PRIZE, BiddingFacts
from mindup_agents.policy.bidding.predictions import (
    add_scaled,
    clamp,
    leak,
    place_chances,
    predict,
    read_colours,
    read_hand,
    read_players,
    read_prizes,
    read_table,
)
from mindup_agents.policy.compiled_network import count_cards, dot, multiply, start
from mindup_env.engine.compiler import called, kernel


@kernel
def evaluate_bids(  # noqa: PLR0917  # compiled functions are called by position
    facts_: tuple[Any, ...],
    weights_: tuple[Any, ...],
    scratch: tuple[Any, ...],
    rows: Float32Array,
    logits: Float32Array,
    values: Float32Array,
    plays: Float32Array,
    plays_of_models: Float32Array,
) -> None:
    """Fills what the network makes of rows (B, size); outputs without rows are left out.

    These are ``logits`` (B, slots), with -inf in empty slots, ``values`` (B,), ``plays``
    (B, P - 1, C), the probability that each opponent plays each card, and the same by each of the
    models (B, P - 1, models, C).
    """
    facts, weights, at = BiddingFacts(*facts_), Weights(*weights_), Scratch(*scratch)
    for row in range(len(rows)):
        read_table(facts, rows[row], at)
        read_colours(facts, at)
        read_players(facts, weights, at)
        read_prizes(facts, weights, at)
        for opponent in range(1, facts.places):
            predict(facts, weights, opponent, at)
        if len(plays):
            for opponent in range(1, facts.places):
                start(at.chances[opponent], plays[row, opponent - 1])
        if len(plays_of_models):
            for opponent in range(1, facts.places):
                for model in range(facts.models):
                    of_model = plays_of_models[row, opponent - 1, model]
                    start(at.of_models[opponent, model], of_model)
        if len(logits) or len(values):
            score_hand(facts, weights, rows[row], row, at, logits)
        if len(values):
            start(weights.critic_bias, at.value)
            multiply(at.state, weights.critic_weight, at.nonzero, at.value)
            leak(at.value)
            values[row] = dot(at.value, weights.value_weight[:, 0]) + weights.value_bias[0]


@called
def score_hand(
    facts: BiddingFacts,
    weights: Weights,
    row: Float32Array,
    index: int,
    at: Scratch,
    logits: Float32Array,
) -> None:
    """Fills ``at.state``, and ``logits[index]`` if there are any."""
    width, places = len(weights.table_bias), facts.places
    start(weights.table_bias, at.state)
    multiply(at.table, weights.table_weight, at.nonzero, at.state)
    leak(at.state[:width])
    start(weights.card_bias, at.context)
    multiply(at.state[:width], weights.context_weight, at.nonzero, at.context)
    for place in range(places):
        start(weights.own_prize_bias, at.own_prizes[place])
        multiply(at.prize[0, place], weights.own_prize_weight, at.nonzero, at.own_prizes[place])
    for player in range(1, places):
        lower = np.float32(0)
        for card in range(facts.num_cards):
            at.lower[player, card] = lower
            lower += at.chances[player, card]
    read_hand(facts, 0, at.table[facts.hand : facts.hand + facts.num_cards], at)
    hand, mean = row[len(row) - facts.slots :], at.state[width:]
    cards = count_cards(row, facts.slots)
    mean[:] = 0
    if len(logits):
        logits[index, :] = -np.inf
    for slot in range(cards):
        card = clamp(int(hand[slot]), facts.num_cards)
        place_chances(places, at.lower[:, card], 0, at.places)
        own, colour = at.own, facts.card_colours[card]
        own[:PRIZE] = 0
        multiply(at.places, at.own_prizes, at.nonzero, own)
        start(at.places, own[PRIZE : PRIZE + places])
        begin, of_hand = PRIZE + places, len(own) - HAND_FACTS
        start(facts.card_facts[card], own[begin : begin + CARD_FACTS])
        start(at.colours[0, colour], own[begin + CARD_FACTS : of_hand])
        start(at.of_hand[card], own[of_hand:])
        start(at.context, at.card)
        multiply(own, weights.card_weight, at.nonzero, at.card)
        leak(at.card)
        start(weights.hidden_bias, at.card_2)
        multiply(at.card, weights.hidden_weight, at.nonzero, at.card_2)
        leak(at.card_2)
        add_scaled(np.float32(1) / np.float32(cards), at.card_2, mean)
        if len(logits):
            logits[index, slot] = dot(at.card_2, weights.logit_weight[:, 0])
