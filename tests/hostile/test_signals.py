"""Signals at any time while a pool of threads works.

Not under coverage: an error that a signal raises in coverage's own code leaves its lock taken, and
the next new function waits for it for ever.
"""

import signal
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest

from mindup_env.engine.compiler import kernel
from mindup_env.threads.pool import ThreadPool
from tests.rules.compiler_state import COMPILED


@pytest.fixture
def alarms() -> Iterator[list[float]]:
    """When alarms came; each raises an error, as a time limit does."""
    came: list[float] = []

    def end(*_: object) -> None:
        came.append(time.perf_counter())
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    yield came
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@kernel
def count_slowly(counts: npt.NDArray[np.int64], place: int) -> int:
    """Adds 1 to a count, in some time."""
    for bit in range(20_000):
        counts[place] ^= bit
    for bit in range(20_000):
        counts[place] ^= bit
    counts[place] += 1
    return place


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.skipif(not COMPILED, reason="a signal interrupts a function of Python")
def test_a_signal_at_any_time_finds_all_functions_called_or_none(
    alarms: list[float], random: np.random.Generator
) -> None:
    pool, counts = ThreadPool(2), np.zeros(5, np.int64)
    calls = [partial(count_slowly, counts, place) for place in range(len(counts))]
    pool.run(calls)  # compiles, and starts the threads, which Python itself does not guard
    errors = 0
    for seconds in random.uniform(1e-5, 1e-3, size=500):
        came = len(alarms)
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            while len(alarms) == came:  # an error in a callback of Python itself is lost
                pool.run(calls)
        except TimeoutError:
            errors += 1
        assert len({*counts.tolist()}) == 1
    assert errors > 300
