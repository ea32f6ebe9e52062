"""Wide writes: the same entries as one by one, and never beyond the end of an array."""

from typing import Any

import numpy as np
import pytest

from mindup_env.engine.compiler import kernel
from mindup_env.observation.wide_writes import copy_slice, write_members

GUARD, SIZE = 77, 200
MEMBERS = 0b1011 | (1 << 40) | (1 << 59)
SOURCE = np.arange(97).astype(np.int8)


@kernel
def run_members(array: Any, start: int) -> None:
    write_members(MEMBERS, array, start)


@kernel
def run_copy(array: Any, start: int, source: Any) -> None:
    copy_slice(source, 7, len(source), array, start)


@pytest.mark.parametrize(
    ("write", "source", "entries"),
    [
        (run_members, (), [(MEMBERS >> member) & 1 for member in range(64)]),
        *((run_copy, (SOURCE[:end],), SOURCE[7:end].tolist()) for end in (7, 8, 38, 39, 40, 97)),
    ],
)
@pytest.mark.parametrize("free", [SIZE, SIZE - 3, 0, 1, 63, 64])
def test_entries_are_written_one_after_another(
    write: Any, source: Any, entries: list[int], free: int
) -> None:
    """There is room for ``free`` more of them; a slice is never longer than that."""
    start = SIZE - (max(free, len(entries)) if write is run_copy else free)
    block = np.full(SIZE + 200, GUARD, np.int8)
    array = block[100 : 100 + SIZE]
    write(array, start, *source)
    fitting = entries[: SIZE - start]
    assert array[start : start + len(fitting)].tolist() == fitting
    assert (array[:start] == GUARD).all()
    assert (block[:100] == GUARD).all() and (block[100 + SIZE :] == GUARD).all()
