"""The evaluations of ``search``: of each card against the models' cards, and by regret matching.

Flat Monte Carlo plays every card of the hand in the same sampled games.

Regret matching is over the cards of all players in one turn. In each sampled game every player
draws a card from its strategy, in proportion to the positive regrets of the cards of its hand. Then
each card of each hand is played against the cards drawn by the others, and the regret of a card
grows by the win probability that it would have added. Regrets belong to a player and a card in all
sampled games, since players know their own hands. The bot plays the average strategy of the first
player (Hart and Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", 2000).
"""

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
    uniform,
    write_sampled_game,
)
from mindup_agents.heuristics.win_probability import win_probability
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.belief.sampling import HiddenPart
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled, kernel


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
            play_instead(known.games, g, played.games, playout, 0, card)
            run_playout(played, playout, workspace)
            totals[card] += win_probability(played.rules, played.games, 0)


@kernel
def match_regrets(
    arrays: SampledArrays,
    g: int,
    model_probabilities: Float64Array,
    row_bits: np.uint64,
    samples: tuple[int, int],
    regrets: Float64Array,
    strategy_sum: Float64Array,
) -> None:
    """Updates ``regrets`` (num_players, num_cards), and adds the strategies of the first player.

    They are added to ``strategy_sum`` (num_cards,). For the other arguments see ``evaluate_hand``.
    """
    known, hidden = known_games(*arrays[:3]), HiddenPart(*arrays[3])
    played = known_games(arrays[0], *arrays[4:6])
    playout, workspace = PlayoutState(*arrays[6]), Workspace(*arrays[7])
    for sample in range(*samples):
        sample_bits = make_sample_bits(row_bits, sample)
        write_sampled_game(known, g, hidden, sample, played.games)
        sample_opponent_models(played, playout, model_probabilities, sample_bits)
        for seat in range(known.rules.num_players):
            hand = known.games.hands[g, seat]
            block = streams.philox(
                np.uint64(0), np.uint64(seat), np.uint64(0), np.uint64(4), sample_bits
            )
            playout.first_cards[seat] = draw_card(hand, regrets[seat], uniform(block[0]))
        add_strategy(known.games.hands[g, 0], regrets[0], strategy_sum)
        for seat in range(known.rules.num_players):
            for card in bitset.members(known.games.hands[g, seat]):
                play_instead(known.games, g, played.games, playout, seat, card)
                run_playout(played, playout, workspace)
                playout.win_probabilities[card] = win_probability(played.rules, played.games, seat)
            add_regrets(known.games.hands[g, seat], regrets[seat], playout.win_probabilities)


@compiled
def card_probability(hand: int, regrets: Float64Array, card: int) -> float:
    """The probability of ``card`` in the strategy; uniform while no regret is positive."""
    total = 0.0
    for each in bitset.members(hand):
        total += max(regrets[each], 0.0)
    return max(regrets[card], 0.0) / total if total > 0 else 1 / bitset.size(hand)


@compiled
def draw_card(hand: int, regrets: Float64Array, random: float) -> int:
    """A card by the strategy; ``random`` is from 0 to 1."""
    card = bitset.lowest(hand)
    for card in bitset.members(hand):
        random -= card_probability(hand, regrets, card)
        if random < 0:
            break
    return card


@compiled
def add_strategy(hand: int, regrets: Float64Array, strategy_sum: Float64Array) -> None:
    for card in bitset.members(hand):
        strategy_sum[card] += card_probability(hand, regrets, card)


@compiled
def add_regrets(hand: int, regrets: Float64Array, win_probabilities: Float64Array) -> None:
    """Adds, for each card, its win probability minus the mean by the strategy."""
    expected = 0.0
    for card in bitset.members(hand):
        expected += card_probability(hand, regrets, card) * win_probabilities[card]
    for card in bitset.members(hand):
        regrets[card] += win_probabilities[card] - expected
