"""A uniformly random legal card."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games


@compiled
def random_card(games: Games, g: int, seat: int, key: npt.NDArray[np.uint64]) -> int:
    hand = games.hands[g, seat]
    bits = streams.random_block(key, streams.RANDOM_PLAY, seat, games.clock[g])[0]
    return bitset.nth_lowest(hand, streams.below(bits, bitset.size(hand)))
