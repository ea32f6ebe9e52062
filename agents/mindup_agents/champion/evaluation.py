"""The value of each card: in sampled games, the opponents' cards are predicted and play goes on.

Each sampled game ends after a turn that is drawn, at the latest with the round, and a network
values the position. So the value of a card is a mean of values after each turn, whose weights
decrease by a factor from turn to turn, as in TD(lambda): early values depend on the network, and
later ones on planner, which plays all seats on. Valuing every game after each of its turns would
leave time for fewer games: a network takes more time than a turn.
"""

import numpy as np

from mindup_agents.champion.opponents import draw_network_cards
from mindup_agents.champion.seat_networks import (
    SeatNetworks,
    seat_networks,
    win_share_by_network,
)
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
    decay: float,
    cards: int,
    values: Float64Array,
) -> None:
    """Fills ``values`` (samples, num_cards) of each of ``cards``, a set, in game ``g``.

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
    for sample in range(*samples):
        sample_bits = make_sample_bits(row_bits, sample)
        num_turns = draw_turns(decay, known.rules.num_turns, sample_bits)
        write_sampled_game(known, g, hidden, sample, played.games)
        sample_opponent_models(played, playout, model_probabilities, sample_bits)
        choose_first_cards(played, playout, formulas)
        draw_network_cards(played, playout, sample_bits, networks)
        for card in bitset.members(cards):
            play_instead(known.games, g, played.games, playout, card)
            values[sample, card] = value_after(played, playout, num_turns, networks)


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
def value_after(
    known: KnownGames, playout: PlayoutState, num_turns: int, networks: SeatNetworks
) -> float:
    """The value for player 0 after ``num_turns`` turns, or at the end of the round.

    Plays these turns.
    """
    rules, games, formulas = known.rules, known.games, networks.workspace.formulas
    round_, turn = rules.round_at[games.clock[0]], 0
    while True:
        turn += 1
        play_turn(rules, games, 0, playout.cards)
        if is_over(rules, games, 0):
            return win_share(rules, games)
        update_public_values(known, formulas)
        if turn == num_turns or rules.round_at[games.clock[0]] != round_:
            return win_share_by_network(known, networks)
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
