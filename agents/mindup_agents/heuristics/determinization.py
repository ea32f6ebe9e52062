"""Worlds: the hidden cards dealt in one of the ways they could lie."""

import numpy as np

from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.prize_probabilities import unseen_by
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Games, Int8Array, Rules


@compiled
def count_hidden(rules: Rules, known: Known, g: int) -> int:
    """The cards in the hands of the rivals of the first player that it does not know."""
    hidden = 0
    for rival in range(1, rules.num_players):
        hidden += known.others[g, rival]
    return hidden


@called
def imagine(
    rules: Rules,
    games: Games,
    known: Known,
    g: int,
    row_bits: np.uint64,
    world: int,
    order: Int8Array,
) -> None:
    """Deals hidden cards to the rivals of the first player, all ways equally likely.

    ``row_bits`` and ``world`` decide which; ``order`` (num_cards,) is room to shuffle in.
    """
    unseen = unseen_by(rules, games, known, g, 0)
    cards = bitset.size(unseen)
    for place in range(cards):
        order[place] = bitset.lowest(unseen)
        unseen &= unseen - 1
    dealt = 0
    block = streams.philox(np.uint64(0), np.uint64(world), np.uint64(0), np.uint64(0), row_bits)
    for rival in range(1, rules.num_players):
        hand = known.cards[g, rival]
        for _ in range(known.others[g, rival]):
            if dealt > 0 and dealt % 4 == 0:
                block = streams.philox(
                    np.uint64(dealt), np.uint64(world), np.uint64(0), np.uint64(0), row_bits
                )
            chosen = dealt + streams.below(block[0], cards - dealt)
            block = block[1], block[2], block[3], block[0]
            order[dealt], order[chosen] = order[chosen], order[dealt]
            hand |= bitset.one(order[dealt])
            dealt += 1
        games.hands[g, rival] = hand


@called
def put_in_place(
    rules: Rules, games: Games, known: Known, g: int, order: Int8Array, copy: Games
) -> None:
    """Puts the hidden cards of the world that was imagined last into the deck of a copy.

    There the engine looks for what was drawn this round and what will be drawn for the next one.
    """
    round_, players = rules.round_at[games.clock[g]], rules.num_players
    next_draw = players * (rules.hand_size + 1) + round_ * players
    if round_ > 0:
        for player in range(players):
            hidden = games.hands[g, player] & ~known.cards[g, player]
            # If it was played already, any card that is in no hand stands for it.
            drawn = bitset.lowest(hidden) if hidden != 0 else games.row[g, player]
            copy.deck[0, next_draw - players + player] = drawn
    if round_ + 1 < rules.num_rounds:
        dealt = count_hidden(rules, known, g)
        for player in range(players):
            copy.deck[0, next_draw + player] = order[dealt + player]
