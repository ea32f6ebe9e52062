"""Flat Monte Carlo: every card of the hand is played in the same sampled games."""

import numpy as np

from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.playout import (
    PlayoutState,
    choose_first_cards,
    copy_position,
    copy_values,
    make_sample_bits,
    run_playout,
    sample_opponent_models,
)
from mindup_agents.heuristics.win_probability import win_probability
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_agents.search.sampled_games import SearchArrays, write_sampled_game
from mindup_env.belief.sampling import HiddenPart
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Rules


@kernel
def evaluate_hand(
    arrays: SearchArrays,
    g: int,
    model_probabilities: Float64Array,
    row_bits: np.uint64,
    samples: tuple[int, int],
    totals: Float64Array,
) -> None:
    """Adds the win probability after each card of game ``g`` to ``totals`` (num_cards,).

    The sampled games from the first of ``samples`` to before the second are played. The opponents'
    models are drawn by ``model_probabilities`` (num_players, num_models).
    """
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    hidden, game, game_known = HiddenPart(*arrays[3]), Games(*arrays[4]), KnownCards(*arrays[5])
    playout, workspace = PlayoutState(*arrays[6]), Workspace(*arrays[7])
    for sample in range(*samples):
        sample_bits = make_sample_bits(row_bits, sample)
        write_sampled_game(rules, games, known, g, hidden, sample, game)
        copy_position(games, g, game)
        sample_opponent_models(rules, game, playout, model_probabilities, sample_bits)
        choose_first_cards(rules, game, game_known, playout, workspace)
        hand = games.hands[g, 0]
        while hand != 0:
            card = bitset.lowest(hand)
            hand &= hand - 1
            copy_position(games, g, game)
            copy_values(playout.first_cards, playout.cards[0])
            playout.cards[0, 0] = card
            run_playout(rules, game, game_known, playout, workspace)
            totals[card] += win_probability(rules, game, 0)
