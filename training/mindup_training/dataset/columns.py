"""The columns of a dataset, one row for each decision, and what formats do with them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_training.dataset.packing import bytes_of, number_entries

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

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


class FileFormat(Protocol):
    """A module that writes and reads the file of a chunk."""

    SUFFIX: str

    def check_installed(self) -> None:
        """Raises an error if the libraries of the format are missing."""
        ...

    def write(self, file: BinaryIO, arrays: Arrays) -> None: ...

    def read(self, path: Path, columns: Sequence[Column], rows: int) -> Arrays:
        """The columns of a file, each checked for its type and shape."""
        ...


def columns_of(config: GameConfig) -> tuple[Column, ...]:
    """The columns in their order."""
    observation, cards = bytes_of(layout_of(config).size), bytes_of(config.num_cards)
    numbers, slots = len(number_entries(config)), config.largest_hand
    units = ", ".join(f"{index} {unit}" for index, unit in enumerate(UNITS))
    columns: tuple[tuple[str, type[np.number[Any]], int | None, str], ...] = (
        ("deal", np.int32, None, "number of the deal, the same cards in every match and rotation"),
        ("rotation", np.int8, None, "seat rotation of the match"),
        ("seat", np.int8, None, "seat that decides"),
        ("turn", np.int16, None, "turn of the game, from 0"),
        ("bot", np.int16, None, "bot that decides, as an index into `bots` of dataset.json"),
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


def check_array(column: Column, rows: int, dtype: Any, shape: tuple[int, ...]) -> None:
    """Refuses a column of another type or shape."""
    expected = rows, *column.row_shape
    if dtype != column.dtype or shape != expected:
        raise ValueError(
            f"the column {column.name} must be {column.dtype} of shape {expected}, not {dtype} of "
            f"shape {shape}"
        )
