"""The columns of a dataset, one row for each decision, and the files that they are written to.

Writing the arrays of a decision as they are would take more time than playing the games: most
entries of an observation are 0 or 1, and most cards are not in the hand. So they are packed.

A chunk is a Parquet or npz file. Nothing in either is pickled, and reading runs no code. In a
Parquet file, the arrays of a row are values of a fixed number of bytes: as lists, Parquet would
widen each entry to four bytes and store its place in the list, which takes ten times as long.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array
from mindup_env.observation import layout_of
from mindup_env.settings.checks import check_array
from mindup_env.settings.extras import require

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

NO_UNIT = -1
PARQUET, NPZ = FORMATS = "parquet", "npz"
"""The formats, which are also the suffixes of the files."""
_PAGE_SIZE = 2**16  # fits into the processor's cache; a larger page takes longer to write


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
    numbers, slots = len(np.r_[*number_parts(config)]), config.largest_hand
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
            _packed_size(layout_of(config).size),
            "what the seat sees: a bit for each entry, 1 if it is not 0, as np.packbits packs them",
        ),
        (
            "observation_numbers",
            np.int8,
            numbers,
            "what the seat sees: the entries that can be other than 0 or 1",
        ),
        (
            "action_mask",
            np.uint8,
            _packed_size(config.num_cards),
            "a bit for each card, 1 if it is in the hand",
        ),
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


def _packed_size(num_bits: int) -> int:
    return (num_bits + 7) // 8


def number_parts(config: GameConfig) -> list[slice]:
    """The parts of an observation whose entries can be other than 0 or 1, in order."""
    layout = layout_of(config)
    entries = np.flatnonzero((layout.low < 0) | (layout.high > 1))
    parts = np.split(entries, np.flatnonzero(np.diff(entries) > 1) + 1)
    return [slice(int(part[0]), int(part[-1]) + 1) for part in parts]


def pack_values(values: Array, masks: Int8Array, slots: int) -> Array:
    """The ``values`` (..., num_cards) of the cards in the hands, as (..., slots); then NaN.

    Bots leave anything as the values of other cards.
    """
    held = masks != 0
    packed = np.full((*masks.shape[:-1], slots), np.nan, np.float32)
    packed[np.arange(slots) < held.sum(axis=-1, keepdims=True)] = values[held]
    return packed


def unpack_values(values: Array, masks: Int8Array) -> Array:
    """What ``pack_values`` packed, as (..., num_cards); NaN for cards that are not in the hand."""
    held = masks != 0
    unpacked = np.full(masks.shape, np.nan, np.float32)
    slots = np.arange(values.shape[-1])
    unpacked[held] = values[slots < held.sum(axis=-1, keepdims=True)]
    return unpacked


def default_format() -> str:
    return PARQUET if find_spec("pyarrow") else NPZ


def check_installed(form: str) -> None:
    """Raises an error if the libraries of a format are missing."""
    if form == PARQUET:
        require("a dataset in Parquet files", "dataset", "pyarrow")


def write_chunk(form: str, file: BinaryIO, arrays: Arrays) -> None:
    if form == PARQUET:
        _write_parquet(file, arrays)
    else:
        np.savez(file, allow_pickle=False, **arrays)


def read_chunk(path: Path, columns: Sequence[Column], rows: int) -> Arrays:
    """The columns of a file, each checked for its type and shape."""
    names = [column.name for column in columns]
    read = _read_parquet if path.suffix == f".{PARQUET}" else _read_npz
    found = read(path, columns)
    if [*found] != names:
        raise ValueError(f"its columns must be {', '.join(names)}")
    for column in columns:
        what, shape = f"the column {column.name}", (rows, *column.row_shape)
        check_array(what, found[column.name], shape, kind=column.dtype.name)
    return found


def _read_npz(path: Path, _columns: Sequence[Column]) -> Arrays:
    try:
        with path.open("rb") as opened:
            file = np.load(opened, allow_pickle=False)
            return {name: file[name] for name in getattr(file, "files", ())}
    except (BadZipFile, EOFError) as error:
        raise ValueError(f"it is damaged, or not an npz file: {error}") from None


def _write_parquet(file: BinaryIO, arrays: Arrays) -> None:
    import pyarrow as pa  # noqa: PLC0415  # an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    def packed(array: Array) -> Any:
        if array.ndim == 1:
            return pa.array(array)
        kind, buffers = pa.binary(array.strides[0]), [None, pa.py_buffer(array)]
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(array), buffers)

    keys = [name for name, each in arrays.items() if each.ndim == 1 and each.dtype.kind == "i"]
    pq.write_table(
        pa.table({name: packed(each) for name, each in arrays.items()}),
        file,
        # Compressing packed arrays would take longer than writing the rest of the file.
        compression={name: "lz4" if each.ndim == 1 else "none" for name, each in arrays.items()},
        use_dictionary=False,
        write_statistics=keys,
        data_page_size=_PAGE_SIZE,
    )


def _read_parquet(path: Path, columns: Sequence[Column]) -> Arrays:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    def unpacked(column: Column, array: Any) -> Array:
        if array.null_count:
            raise ValueError(f"the column {column.name} must have no nulls")
        if column.width is None:
            return np.asarray(array.to_numpy())
        if array.type != (kind := pa.binary(column.width * column.dtype.itemsize)):
            raise ValueError(f"the column {column.name} must be {kind}, not {array.type}")
        values = np.frombuffer(array.buffers()[1], column.dtype).reshape(-1, column.width)
        return values[array.offset : array.offset + len(array)]

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
    except pa.ArrowException as error:
        raise ValueError(f"it is damaged, or not a Parquet file: {error}") from None
    if table.column_names != [column.name for column in columns]:
        return {}
    return {each.name: unpacked(each, table.column(each.name).combine_chunks()) for each in columns}
