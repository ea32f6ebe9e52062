"""A small compiled function with a cache of its own, for tests of the cache."""

from pathlib import Path
from typing import Any

import numba

from mindup_env.engine.code_cache import KernelCache
from mindup_env.engine.compiler import KERNEL_OPTIONS

ARGUMENT, ANSWER = 20, 41


def twice_and_one(number: int) -> int:
    return 2 * number + 1


def call_in_new_dispatcher(folder: Path) -> tuple[int, int]:
    """The answer, and how many signatures were found in the cache: as in a new process."""
    entry: Any = numba.njit(**KERNEL_OPTIONS)(twice_and_one)
    entry._cache = KernelCache(twice_and_one, folder)
    return entry(ARGUMENT), sum(entry.stats.cache_hits.values())
