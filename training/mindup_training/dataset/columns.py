"""The columns of a dataset, one row for each decision, and how arrays are packed for them.

Writing the arrays of a decision as they are would take more time than playing the games: most
entries of an observation are 0 or 1, and most cards are not in the hand.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.observation import layout_of

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
UInt8Array = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.uint32]
Float32Array = npt.NDArray[np.float32]

NO_UNIT = -1


class Column(NamedTuple):
    """A column, as all formats have it."""

    name: str
    dtype: np.dtype[Any]
    width: int | None  # of an array in each row; None for a number
    meaning: str

    @property
    def row_shape(self) -> tuple[int, ...]:
        return () if self.width is None else (self.width,)


def columns_of(config: GameConfig) -> tuple[Column, ...]:
    """The columns in their order."""
    observation, cards = _bytes_of(layout_of(config).size), _bytes_of(config.num_cards)
    numbers, slots = len(number_entries(config)), config.largest_hand
    units = ", ".join(f"{index} {unit}" for index, unit in enumerate(UNITS))
    columns: tuple[tuple[str, type[np.number[Any]], int | None, str], ...] = (
        ("deal", np.int32, None, "number of the deal, the same cards in every match and rotation"),
        ("rotation", np.int8, None, "seat rotation of the match"),
        ("seat", np.int8, None, "seat that decides"),
        ("turn", np.int16, None, "turn of the game, from 0"),
        ("bot", np.int16, None, "bot that decides, as an index into `bots` of run.json"),
        (
            "observation_bits",
            np.uint8,
            observation,
            "what the seat sees: a bit for each entry, 1 if it is not 0, as np.packbits packs them",
        ),
        (
            "observation_numbers",
            np.int8,
            numbers,
            "what the seat sees: the entries that can be other than 0 or 1",
        ),
        ("action_mask", np.uint8, cards, "a bit for each card, 1 if it is in the hand"),
        ("action", np.int8, None, "the choice: action a plays card number a + 1"),
        ("reward", np.float32, None, "reward of the seat after the action"),
        ("return", np.float32, None, "sum of the rewards from this decision to the game's end"),
        (
            "card_values",
            np.float32,
            slots,
            "the bot's evaluation of each card of the hand, lowest card first; then NaN",
        ),
        ("card_values_unit", np.int8, None, f"unit of card_values: {units}; {NO_UNIT} for none"),
    )
    return tuple(
        Column(name, np.dtype(kind), width, meaning) for name, kind, width, meaning in columns
    )


def _bytes_of(num_bits: int) -> int:
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
