"""Random bits from a counter-based generator, without a state.

The bits are a pure function of the seed and of where they are used (slot, episode, purpose,
index). The function is Philox 4x32 with ten rounds (Salmon et al., "Parallel random numbers: as
easy as 1, 2, 3", SC 2011). For every seed it is a bijection of the counter, so that no two uses
share a block of bits.
"""

import numpy as np
import numpy.typing as npt

from mindup_env.engine.compiler import compiled

Block = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

# The purposes of random bits; each has its own stream.
DECK, SCORE_CARDS, OBJECTIVES, RANDOM_PLAY, LEARNER_SEAT, AGENTS, OPPONENTS = range(7)

# Columns of a key. Everything random in a game depends on its key and on nothing else. The bots'
# bits have a seed of their own: with that of the deal, a bot that knows which seeds are likely
# could find the one that gives its bits, and with it all cards.
SEED, SLOT, EPISODE, AGENT_SEED = range(4)
LAST_SEED = 2**64 - 1
LAST_INDEX = 2**32 - 1
"""The last slot and the last episode."""

_LOW_32 = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_KEY_STEPS = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_ROUNDS = 10
_PURPOSE_SHIFT = np.uint64(24)


@compiled
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, seed: np.uint64) -> Block:
    """Four random 32-bit integers, as uint64 (so that products fit), of a counter of four."""
    k0, k1 = seed & _LOW_32, seed >> _HALF
    for _ in range(_ROUNDS):
        p0, p1 = _MULTIPLIERS[0] * c0, _MULTIPLIERS[1] * c2
        c0, c2 = (p1 >> _HALF) ^ c1 ^ k0, (p0 >> _HALF) ^ c3 ^ k1
        c1, c3 = p1 & _LOW_32, p0 & _LOW_32
        k0, k1 = (k0 + _KEY_STEPS[0]) & _LOW_32, (k1 + _KEY_STEPS[1]) & _LOW_32
    return c0, c1, c2, c3


@compiled
def random_block(key: npt.NDArray[np.uint64], purpose: int, part: int, index: int) -> Block:
    """Four times 32 random bits: block ``index`` (below 2**32) of a stream.

    ``key`` (4,) is seed, slot, episode and agent seed, which takes the place of the seed in the
    stream of AGENTS. ``part`` (below 2**24) divides the stream of a purpose, for example by round.
    """
    seed = key[AGENT_SEED] if purpose == AGENTS else key[SEED]
    stream = (np.uint64(purpose) << _PURPOSE_SHIFT) | np.uint64(part)
    return philox(np.uint64(index), stream, key[SLOT], key[EPISODE], seed)


@compiled
def below(bits: np.uint64, bound: int) -> int:
    """A number from 0 to ``bound - 1``; for the small bounds here the bias is under 2**-26."""
    return int(np.int64((bits * np.uint64(bound)) >> _HALF))


@compiled
def shuffle(
    items: npt.NDArray[np.int8], key: npt.NDArray[np.uint64], purpose: int, part: int
) -> None:
    """Puts ``items`` into a random order, in place (Fisher and Yates)."""
    bits, second, third, fourth = random_block(key, purpose, part, 0)
    for swap in range(len(items) - 1):
        if swap > 0 and swap % 4 == 0:
            bits, second, third, fourth = random_block(key, purpose, part, swap // 4)
        last = len(items) - 1 - swap
        chosen = below(bits, last + 1)
        items[last], items[chosen] = items[chosen], items[last]
        bits, second, third = second, third, fourth
