"""The evaluation of ``search``: every card of the hand is played in the same sampled games."""

import numpy as np

from mindup_agents.heuristics.observed_games import known_games
from mindup_agents.heuristics.playout import (
    PlayoutState,
    SampledArrays,
    choose_first_cards,
    make_sample_bits,
    play_instead,
    run_playout,
    sample_opponent_models,
    write_sampled_game,
)
from mindup_agents.heuristics.win_probability import win_probability
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.belief.sampling import HiddenPart
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel


@kernel
def evaluate_hand(
    arrays: SampledArrays,
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
    known, hidden = known_games(*arrays[:3]), HiddenPart(*arrays[3])
    played = known_games(arrays[0], *arrays[4:6])
    playout, workspace = PlayoutState(*arrays[6]), Workspace(*arrays[7])
    for sample in range(*samples):
        sample_bits = make_sample_bits(row_bits, sample)
        write_sampled_game(known, g, hidden, sample, played.games)
        sample_opponent_models(played, playout, model_probabilities, sample_bits)
        choose_first_cards(played, playout, workspace)
        for card in bitset.members(known.games.hands[g, 0]):
            play_instead(known.games, g, played.games, playout, card)
            run_playout(played, playout, workspace)
            totals[card] += win_probability(played.rules, played.games, 0)
