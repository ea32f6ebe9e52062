"""A chunk as an npz file, for machines without pyarrow. Nothing in it is pickled."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy

from mindup_training.dataset.columns import Array, Arrays, Column, check_array

SUFFIX = ".npz"


def check_installed() -> None:
    """NumPy is always there."""


def write(file: BinaryIO, arrays: Arrays) -> None:
    np.savez(file, allow_pickle=False, **arrays)


def read(path: Path, columns: Sequence[Column], rows: int) -> Arrays:
    """The columns of a file, each checked for its type and shape before it is read."""
    try:
        with ZipFile(path) as archive:
            expected = [_member(column) for column in columns]
            if archive.namelist() != expected:
                raise ValueError(f"it must have the arrays {', '.join(expected)}")
            return {column.name: _read_column(archive, column, rows) for column in columns}
    except (BadZipFile, EOFError) as error:
        raise ValueError(f"it is damaged, or not an npz file: {error}") from None


def _read_column(archive: ZipFile, column: Column, rows: int) -> Array:
    with archive.open(_member(column)) as member:
        if npy.read_magic(member) != (1, 0):
            raise ValueError(f"the array {column.name} must have the format version 1.0")
        shape, by_column, dtype = npy.read_array_header_1_0(member)
        check_array(column, rows, dtype, shape)
        if by_column:
            raise ValueError(f"the array {column.name} must be in C order")
        size = rows * column.dtype.itemsize * (column.width or 1)
        data = member.read(size + 1)
        if len(data) != size:
            raise ValueError(f"the array {column.name} must have {size} bytes of data")
    return np.frombuffer(data, column.dtype).reshape(rows, *column.row_shape)


def _member(column: Column) -> str:
    return f"{column.name}.npy"
