"""How the arrays of a decision are packed for a file.

Writing them as they are would take more time than playing the games: most entries of an
observation are 0 or 1, and most cards are not in the hand.
"""

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.observation import layout_of

UInt8Array = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.uint32]
Float32Array = npt.NDArray[np.float32]


def bytes_of(num_bits: int) -> int:
    """The size of so many bits that ``np.packbits`` has packed."""
    return (num_bits + 7) // 8


def number_entries(config: GameConfig) -> Indices:
    """The entries of an observation that can be other than 0 or 1, in order."""
    layout = layout_of(config)
    # Compiled code takes a third less time with indices that cannot be negative.
    return np.flatnonzero((layout.low < 0) | (layout.high > 1)).astype(np.uint32)


def unpack_bits(packed: UInt8Array, num_bits: int) -> Int8Array:
    """Rows (..., num_bits) of 0 and 1, which ``np.packbits`` has packed."""
    return np.unpackbits(packed, axis=-1, count=num_bits).view(np.int8)


def unpack_observation(bits: UInt8Array, numbers: Int8Array, config: GameConfig) -> Int8Array:
    """Observations (..., size) from their bits and their numbers, which must agree."""
    observation, entries = unpack_bits(bits, layout_of(config).size), number_entries(config)
    if (observation[..., entries] != (numbers != 0)).any():
        raise ValueError("the columns observation_bits and observation_numbers must agree")
    observation[..., entries] = numbers
    return observation


def unpack_values(values: Float32Array, masks: Int8Array) -> Float32Array:
    """The values (..., slots) of the cards in hands as (..., num_cards); NaN for other cards."""
    held = masks != 0
    sizes = held.sum(axis=-1, keepdims=True)
    if (sizes > values.shape[-1]).any():
        raise ValueError(
            f"the column action_mask must have at most {values.shape[-1]} cards in a hand"
        )
    unpacked = np.full(masks.shape, np.nan, np.float32)
    unpacked[held] = values[np.arange(values.shape[-1]) < sizes]
    return unpacked


@kernel
def pack_numbers(observations: Int8Array, entries: Indices, out: Int8Array) -> None:
    """Copies some entries of ``observations`` (S, size) to ``out`` (S, entries)."""
    for i in range(len(observations)):
        for j in range(len(entries)):
            out[i, j] = observations[i, entries[j]]


@kernel
def pack_values(
    rows: Int64Array, values: npt.NDArray[np.floating], masks: Int8Array, out: Float32Array
) -> None:
    """Copies ``values`` (B, num_cards) of the cards in the hands to ``out`` (S, slots).

    Bots leave anything as the values of other cards. The slots after a hand get NaN.
    """
    for i in range(len(rows)):
        row, slot = rows[i], 0
        for card in range(masks.shape[1]):
            if masks[row, card] != 0:
                out[row, slot] = values[i, card]
                slot += 1
        out[row, slot:] = np.nan
