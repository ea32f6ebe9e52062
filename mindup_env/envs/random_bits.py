"""Random bits of bots, and random seats of learners, as a function of the keys alone."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int16Array, Int64Array

RandomBits = npt.NDArray[np.uint64]


def draw_random_bits(
    keys: Keys, turns: Int16Array, rows: Int64Array, num_players: int
) -> RandomBits:
    """64 random bits of the agent seed for each row (B,), a flat index into (games, players).

    The ``turns`` (N,) are those that the games had before.
    """
    random_bits = np.zeros(len(rows), np.uint64)
    fill_random_bits(keys, turns, rows, num_players, random_bits)
    return random_bits


def draw_seats(keys: Keys, num_players: int) -> Int64Array:
    """A random seat for the learner of each game (N,)."""
    seats = np.zeros(len(keys), np.int64)
    fill_seats(keys, num_players, seats)
    return seats


@kernel
def fill_random_bits(
    keys: Keys, turns: Int16Array, rows: Int64Array, num_players: int, random_bits: RandomBits
) -> None:
    for i in range(len(rows)):
        g, seat = rows[i] // num_players, rows[i] % num_players
        low, high, _, _ = streams.random_block(keys[g], streams.AGENTS, seat, turns[g])
        random_bits[i] = low | (high << np.uint64(32))


@kernel
def fill_seats(keys: Keys, num_players: int, seats: Int64Array) -> None:
    for g in range(len(seats)):
        bits = streams.random_block(keys[g], streams.LEARNER_SEAT, 0, 0)[0]
        seats[g] = streams.below(bits, num_players)
