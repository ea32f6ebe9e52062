"""Wide writes: the same entries as one by one, and never beyond the end of an array."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env.observation.wide_writes import copy_slice, write_members, write_word

GUARD = 77
SIZE = 200
MEMBERS = 0b1011 | (1 << 40) | (1 << 59)

F = TypeVar("F", bound=Callable[..., None])


def compiled(function: F) -> F:
    return cast("F", numba.njit(nogil=True)(function))


@compiled
def run_members(members: int, array: npt.NDArray[np.int8], start: int) -> None:
    write_members(members, array, start)


@compiled
def run_word(word: int, array: npt.NDArray[np.int8], start: int) -> None:
    write_word(word, array, start)


@compiled
def run_copy(
    source: npt.NDArray[np.int8], bounds: tuple[int, int], array: npt.NDArray[np.int8], start: int
) -> None:
    copy_slice(source, bounds[0], bounds[1], array, start)


def guarded() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """A block of guards, and a view of its middle."""
    block = np.full(SIZE + 200, GUARD, np.int8)
    return block, block[100 : 100 + SIZE]


def assert_written(block: npt.NDArray[np.int8], start: int, entries: list[int]) -> None:
    array = block[100 : 100 + SIZE]
    fitting = entries[: SIZE - start]
    assert array[start : start + len(fitting)].tolist() == fitting
    assert (array[:start] == GUARD).all()
    assert (block[:100] == GUARD).all() and (block[100 + SIZE :] == GUARD).all()


@pytest.mark.parametrize("start", [0, 3, SIZE - 64, SIZE - 63, SIZE - 1])
def test_members_become_entries(start: int) -> None:
    block, array = guarded()
    run_members(MEMBERS, array, start)
    assert_written(block, start, [(MEMBERS >> member) & 1 for member in range(64)])


@pytest.mark.parametrize("start", [0, 5, SIZE - 8, SIZE - 7, SIZE - 1])
def test_a_word_becomes_bytes(start: int) -> None:
    entries = [1, 2, 3, 4, 5, 6, 7, 126]
    block, array = guarded()
    run_word(sum(entry << 8 * place for place, entry in enumerate(entries)), array, start)
    assert_written(block, start, entries)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 90])
@pytest.mark.parametrize("at_end", [False, True])
def test_a_slice_is_copied(length: int, *, at_end: bool) -> None:
    source = np.arange(length + 7).astype(np.int8)
    start = SIZE - length if at_end else 2
    block, array = guarded()
    run_copy(source, (7, 7 + length), array, start)
    assert_written(block, start, source[7:].tolist())
