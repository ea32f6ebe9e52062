"""Flat Monte Carlo: every card of the hand is played in the same sampled games."""

from typing import Any

import numpy as np

from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.playout import (
    PlayoutState,
    choose_cards,
    copy_deal,
    copy_position,
    copy_values,
    make_sample_bits,
    run_playout,
    sample_opponent_models,
)
from mindup_agents.heuristics.win_probability import win_probability
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Rules

SearchArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, of Games twice (the sampled games, and one that is played on), KnownCards,
PlayoutState and Workspace."""


@kernel
def evaluate_hand(
    arrays: SearchArrays,
    model_probabilities: Float64Array,
    row_bits: np.uint64,
    first: int,
    end: int,
    totals: Float64Array,
) -> None:
    """Adds the win probability after each card to ``totals`` (num_cards,).

    The sampled games from ``first`` to before ``end`` are played. The opponents' models are drawn
    by ``model_probabilities`` (num_players, num_models).
    """
    rules, sampled, game = Rules(*arrays[0]), Games(*arrays[1]), Games(*arrays[2])
    known, playout = KnownCards(*arrays[3]), PlayoutState(*arrays[4])
    workspace = Workspace(*arrays[5])
    for sample in range(first, end):
        sample_bits = make_sample_bits(row_bits, sample)
        sample_opponent_models(rules, playout, model_probabilities, sample_bits)
        copy_deal(sampled, sample, game)
        copy_position(sampled, sample, game)
        choose_cards(rules, game, known, playout, workspace, sample_bits)
        copy_values(playout.cards[0], playout.first_cards)
        hand = sampled.hands[sample, 0]
        while hand != 0:
            card = bitset.lowest(hand)
            hand &= hand - 1
            copy_position(sampled, sample, game)
            copy_values(playout.first_cards, playout.cards[0])
            playout.cards[0, 0] = card
            run_playout(rules, game, known, playout, workspace, sample_bits)
            totals[card] += win_probability(rules, game, 0)
