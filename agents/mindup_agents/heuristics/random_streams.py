"""Independent random numbers from the random bits of a row or of a world, in compiled code."""

import numpy as np

from mindup_env.engine import streams
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Float64Array

# Streams of random bits: the first two of a row, the others of a world.
HANDS = 0
WORLDS = 1
MODEL = 2
RANDOM_CARDS = 3
NETWORK_CARD = 5
NUM_TURNS = 6


@compiled
def random_block(stream: int, index: int, part: int, bits: np.uint64) -> streams.Block:
    """Block ``index`` of a part of a stream of the random bits of a row or of a world."""
    return streams.philox(np.uint64(index), np.uint64(part), np.uint64(0), np.uint64(stream), bits)


@compiled
def draw_index(probabilities: Float64Array, bits: np.uint64) -> int:
    """A random index by ``probabilities`` (n,)."""
    remaining = uniform(bits)
    last = len(probabilities) - 1
    for index in range(last):
        remaining -= probabilities[index]
        if remaining < 0:
            return index
    return last


@compiled
def uniform(bits: np.uint64) -> float:
    """A random 32-bit word as a number from 0 to 1."""
    return np.float64(bits) / 4294967296.0
