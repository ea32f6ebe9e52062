"""Random bits of bots, and random seats of learners, as a function of the keys alone."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int16Array, Int64Array

RandomBits = npt.NDArray[np.uint64]


def draw_random_bits(
    keys: Keys,
    rows: Int64Array,
    num_players: int,
    turns: int | Int16Array,
    random_bits: RandomBits,
) -> None:
    """Fills ``random_bits`` (B,) with 64 random bits for each row, from the agent seed.

    ``turns`` are those that the games had before: a number, or (N,).
    """
    if not isinstance(turns, np.ndarray):
        turns = np.full(len(keys), turns, np.int16)
    fill_random_bits(keys, rows, num_players, turns, random_bits)


@kernel
def fill_random_bits(
    keys: Keys, rows: Int64Array, num_players: int, turns: Int16Array, random_bits: RandomBits
) -> None:
    for i in range(len(rows)):
        g, seat = rows[i] // num_players, rows[i] % num_players
        low, high, _, _ = streams.random_block(keys[g], streams.AGENTS, seat, turns[g])
        random_bits[i] = low | (high << np.uint64(32))


@kernel
def draw_seats(keys: Keys, num_players: int, seats: Int64Array) -> None:
    """Fills ``seats`` (N,) with a random seat for the learner of each game."""
    for g in range(len(seats)):
        bits = streams.random_block(keys[g], streams.LEARNER_SEAT, 0, 0)[0]
        seats[g] = streams.below(bits, num_players)
