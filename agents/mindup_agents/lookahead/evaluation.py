"""The value of each card: in sampled games, the opponents' cards are predicted and play goes on.

After the turns of such a game, to the end of the round, a network values the position. The value of
a card is the mean over the games of an average of these values, whose weights decrease by a factor
from turn to turn, as in TD(lambda): early values depend on the network, and later ones on planner,
which plays all seats on. Or each game ends after one turn, drawn by these weights. The mean
is then the same, and there is time for more games: a network takes more time than a turn.
"""

import numpy as np

from mindup_agents.heuristics.observed_games import KnownGames, known_games
from mindup_agents.heuristics.opponent_model import OpponentBeliefs
from mindup_agents.heuristics.playout import (
    PlayoutState,
    SampledArrays,
    choose_cards,
    choose_first_cards,
    make_sample_bits,
    play_instead,
    sample_opponent_models,
    uniform,
    update_public_values,
    write_sampled_game,
)
from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.lookahead.opponents import draw_network_cards
from mindup_agents.lookahead.seat_networks import (
    SeatNetworks,
    seat_networks,
    win_share_by_network,
)
from mindup_env.belief.sampling import HiddenPart
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.results import is_over, rank
from mindup_env.engine.state import Games, Rules
from mindup_env.engine.turns import play_turn


@kernel
def evaluate_cards(
    arrays: SampledArrays,
    g: int,
    row_bits: np.uint64,
    samples: tuple[int, int],
    weights: tuple[float, bool],
    cards: int,
    values: Float64Array,
) -> None:
    """Fills ``values`` (samples, num_cards) of each of ``cards``, a set, in game ``g``.

    ``weights`` are the factor of the weights, and whether each game is valued after one turn alone.
    The sampled games from the first of ``samples`` to before the second are played. The opponents'
    models are drawn by what the beliefs say of them. The last network values positions. The arrays
    end with the fields of SeatNetworks and OpponentBeliefs. The networks keep what they predict of
    the opponents from one call to the next.
    """
    known, hidden = known_games(*arrays[:3]), HiddenPart(*arrays[3])
    played = known_games(arrays[0], *arrays[4:6])
    playout, networks = PlayoutState(*arrays[6]), seat_networks(arrays[7])
    model_probabilities = OpponentBeliefs(*arrays[8]).model_probabilities[g]
    formulas = networks.workspace.formulas
    decay, ends_early = weights
    for sample in range(*samples):
        sample_bits = make_sample_bits(row_bits, sample)
        num_turns = known.rules.num_turns
        if ends_early:
            num_turns = draw_turns(decay, num_turns, sample_bits)
        write_sampled_game(known, g, hidden, sample, played.games)
        sample_opponent_models(played, playout, model_probabilities, sample_bits)
        choose_first_cards(played, playout, formulas)
        draw_network_cards(played, playout, sample_bits, networks)
        for card in bitset.members(cards):
            play_instead(known.games, g, played.games, playout, 0, card)
            values[sample, card] = averaged_value(
                played, playout, num_turns, 1.0 if ends_early else decay, networks
            )


@compiled
def draw_turns(decay: float, most: int, sample_bits: np.uint64) -> int:
    """After how many turns a sampled game ends; ``decay`` is the probability of another turn."""
    block = streams.philox(np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(6), sample_bits)
    drawn, turns, goes_on = uniform(block[0]), 1, decay
    while turns < most and drawn < goes_on:
        turns += 1
        goes_on *= decay
    return turns


@called
def averaged_value(
    known: KnownGames, playout: PlayoutState, num_turns: int, decay: float, networks: SeatNetworks
) -> float:
    """The average of the values after each of ``num_turns`` turns, or to the end of the round.

    Plays these turns.
    """
    rules, games = known.rules, known.games
    last_round = rules.round_at[games.clock[0]] + playout.num_rounds
    value_network = networks.networks.table_bias.shape[0] - 1
    formulas = networks.workspace.formulas
    total, weight, turn = 0.0, 1.0, 0
    while True:
        turn += 1
        play_turn(rules, games, 0, playout.cards)
        if is_over(rules, games, 0):
            return total + weight * win_share(rules, games)
        update_public_values(known, formulas)
        is_last = turn == num_turns or rules.round_at[games.clock[0]] == last_round
        if is_last or decay < 1:
            value = win_share_by_network(known, value_network, networks)
            if is_last:
                return total + weight * value
            total += weight * (1 - decay) * value
            weight *= decay
        choose_cards(known, playout, formulas)


@compiled
def win_share(rules: Rules, games: Games) -> float:
    """The share of player 0 in the victory of game 0, which is over."""
    if rank(rules, games, 0, 0) > 0:
        return 0.0
    winners = 0
    for player in range(rules.num_players):
        winners += rank(rules, games, 0, player) == 0
    return 1 / winners
