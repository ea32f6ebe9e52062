"""A chunk as a Parquet file.

The arrays of a row are values of a fixed number of bytes: as lists, Parquet would widen each
entry to four bytes and store its place in the list, which takes ten times as long.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mindup_env.settings.extras import require
from mindup_training.dataset.columns import Array, Arrays, Column, check_array

SUFFIX = ".parquet"

_PAGE_SIZE = 2**16  # fits into the processor's cache; a larger page takes longer to write


def check_installed() -> None:
    require("a dataset in Parquet files", "dataset", "pyarrow")


def write(file: BinaryIO, arrays: Arrays) -> None:
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


def read(path: Path, columns: Sequence[Column], rows: int) -> Arrays:
    """The columns of a file, each checked for its type and shape."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(path) as file:
            expected = pa.schema([(column.name, _arrow_type(column)) for column in columns])
            if not file.schema_arrow.equals(expected, check_metadata=False):
                raise ValueError(f"its columns must be {_described(expected)}")
            if file.metadata.num_rows != rows:
                raise ValueError(f"it must have {rows} rows, not {file.metadata.num_rows}")
            table = file.read()
    except pa.ArrowException as error:
        raise ValueError(f"it is damaged, or not a Parquet file: {error}") from None
    arrays = {column.name: _to_numpy(table.column(column.name), column) for column in columns}
    for column in columns:
        check_array(column, rows, arrays[column.name].dtype, arrays[column.name].shape)
    return arrays


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


def _described(schema: Any) -> str:
    return ", ".join(f"{field.name} ({field.type})" for field in schema)
