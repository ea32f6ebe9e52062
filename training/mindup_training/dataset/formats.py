"""A chunk as a Parquet or npz file. Nothing in either is pickled, and reading runs no code.

In a Parquet file, the arrays of a row are values of a fixed number of bytes: as lists, Parquet
would widen each entry to four bytes and store its place in the list, which takes ten times as long.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np

from mindup_env.settings.extras import require
from mindup_training.dataset.columns import Array, Arrays, Column

PARQUET, NPZ = FORMATS = "parquet", "npz"
"""The formats, which are also the suffixes of the files."""

_PAGE_SIZE = 2**16  # fits into the processor's cache; a larger page takes longer to write


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
    read = _read_parquet if path.suffix == f".{PARQUET}" else _read_npz
    arrays = read(path, columns, rows)
    for column in columns:
        _check_array(column, rows, arrays[column.name])
    return arrays


def _check_array(column: Column, rows: int, array: Array) -> None:
    expected = rows, *column.row_shape
    if array.dtype != column.dtype or array.shape != expected:
        raise ValueError(
            f"the column {column.name} must be {column.dtype} of shape {expected}, not "
            f"{array.dtype} of shape {array.shape}"
        )


def _read_npz(path: Path, columns: Sequence[Column], _rows: int) -> Arrays:
    expected = [column.name for column in columns]
    try:
        with path.open("rb") as opened:
            file = np.load(opened, allow_pickle=False)
            if getattr(file, "files", None) != expected:
                raise ValueError(f"it must have the arrays {', '.join(expected)}")
            return {name: file[name] for name in expected}
    except (BadZipFile, EOFError) as error:
        raise ValueError(f"it is damaged, or not an npz file: {error}") from None


def _write_parquet(file: BinaryIO, arrays: Arrays) -> None:
    import pyarrow as pa  # noqa: PLC0415  # an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    keys = [name for name, each in arrays.items() if each.ndim == 1 and each.dtype.kind == "i"]
    table = pa.table({name: _to_arrow(each) for name, each in arrays.items()})
    pq.write_table(
        table,
        file,
        # Compressing packed arrays would take longer than writing the rest of the file.
        compression={name: "lz4" if each.ndim == 1 else "none" for name, each in arrays.items()},
        use_dictionary=False,
        write_statistics=keys,
        data_page_size=_PAGE_SIZE,
    )


def _read_parquet(path: Path, columns: Sequence[Column], rows: int) -> Arrays:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(path) as file:
            expected = pa.schema([(column.name, _arrow_type(column)) for column in columns])
            if not file.schema_arrow.equals(expected, check_metadata=False):
                types = ", ".join(f"{field.name} ({field.type})" for field in expected)
                raise ValueError(f"its columns must be {types}")
            if file.metadata.num_rows != rows:
                raise ValueError(f"it must have {rows} rows, not {file.metadata.num_rows}")
            table = file.read()
    except pa.ArrowException as error:
        raise ValueError(f"it is damaged, or not a Parquet file: {error}") from None
    return {column.name: _to_numpy(table.column(column.name), column) for column in columns}


def _to_arrow(array: Array) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    if array.ndim == 1:
        return pa.array(array)
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(array.strides[0]), len(array), [None, pa.py_buffer(array)]
    )


def _arrow_type(column: Column) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    if column.width is None:
        return pa.from_numpy_dtype(column.dtype)
    return pa.binary(column.width * column.dtype.itemsize)


def _to_numpy(chunked: Any, column: Column) -> Array:
    if chunked.null_count:
        raise ValueError(f"the column {column.name} must have no nulls")
    parts = [_part_to_numpy(part, column) for part in chunked.chunks]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _part_to_numpy(part: Any, column: Column) -> Array:
    if column.width is None:
        return np.asarray(part.to_numpy())
    values = np.frombuffer(part.buffers()[1], column.dtype).reshape(-1, column.width)
    return values[part.offset : part.offset + len(part)]
