"""Uniformly random legal cards."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Rules


@compiled
def choose_random_cards(
    rules: Rules,
    games: Games,
    g: int,
    key: npt.NDArray[np.uint64],
    cards: npt.NDArray[np.signedinteger],
) -> None:
    """Writes a card of the hand of every seat into ``cards`` (num_players,)."""
    bits = second = third = fourth = np.uint64(0)
    for seat in range(rules.num_players):
        if seat % 4 == 0:
            bits, second, third, fourth = streams.random_block(
                key, streams.RANDOM_PLAY, seat // 4, games.clock[g]
            )
        hand = games.hands[g, seat]
        cards[seat] = bitset.nth_lowest(hand, streams.below(bits, bitset.size(hand)))
        bits, second, third = second, third, fourth
