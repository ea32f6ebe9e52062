"""All players' cards against each other: regret matching over one turn of simultaneous bids.

In each sampled game every player draws a card from its strategy, which plays a card as often as it
regrets not to have played it. Then each card of each hand is tried against what the others drew,
and the regrets grow by what it would have brought more. The strategies of a card belong to it in
every world: a rival knows its own hand. The average strategy of the first player is what it plays
(Hart and Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", 2000).
"""

import numpy as np

from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.playout import (
    Trial,
    copy_deal,
    copy_row,
    copy_table,
    fraction,
    play_out,
    sit_down,
    world_bits,
)
from mindup_agents.heuristics.win_probability import chance_to_win
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_agents.search.flat_monte_carlo import SearchArrays
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Games, Rules


@kernel
def match_regrets(
    arrays: SearchArrays,
    belief: Floats,
    row_bits: np.uint64,
    first: int,
    end: int,
    regrets: Floats,
    played: Floats,
) -> None:
    """Adds to ``regrets`` (num_players, num_cards), and to ``played`` (num_cards,) the strategies.

    ``played`` is of the first player; for the rest see ``try_cards``.
    """
    rules, worlds, games = Rules(*arrays[0]), Games(*arrays[1]), Games(*arrays[2])
    known, trial, workspace = Known(*arrays[3]), Trial(*arrays[4]), Workspace(*arrays[5])
    for world in range(first, end):
        bits_here = world_bits(row_bits, world)
        sit_down(rules, trial, belief, bits_here)
        copy_deal(worlds, world, games)
        for seat in range(rules.num_players):
            block = streams.philox(
                np.uint64(0), np.uint64(seat), np.uint64(0), np.uint64(4), bits_here
            )
            trial.base[seat] = draw(worlds.hands[world, seat], regrets[seat], fraction(block[0]))
        add_strategy(worlds.hands[world, 0], regrets[0], played)
        for seat in range(rules.num_players):
            hand = worlds.hands[world, seat]
            while hand != 0:
                card = bitset.lowest(hand)
                hand &= hand - 1
                copy_table(worlds, world, games)
                copy_row(trial.base, trial.cards[0])
                trial.cards[0, seat] = card
                play_out(rules, games, known, trial, workspace, bits_here)
                trial.outcomes[card] = chance_to_win(rules, games, seat)
            regret(worlds.hands[world, seat], regrets[seat], trial.outcomes)


@compiled
def share(hand: int, regrets: Floats, card: int) -> float:
    """How often the strategy plays ``card``: all alike while nothing is regretted."""
    total, rest = 0.0, hand
    while rest != 0:
        total += max(regrets[bitset.lowest(rest)], 0.0)
        rest &= rest - 1
    return max(regrets[card], 0.0) / total if total > 0 else 1 / bitset.size(hand)


@compiled
def draw(hand: int, regrets: Floats, chance: float) -> int:
    rest, card = hand, bitset.lowest(hand)
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        chance -= share(hand, regrets, card)
        if chance < 0:
            break
    return card


@compiled
def add_strategy(hand: int, regrets: Floats, played: Floats) -> None:
    rest = hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        played[card] += share(hand, regrets, card)


@compiled
def regret(hand: int, regrets: Floats, outcomes: Floats) -> None:
    """What each card would have brought more than the strategy on average."""
    expected, rest = 0.0, hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        expected += share(hand, regrets, card) * outcomes[card]
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        regrets[card] += outcomes[card] - expected
