"""Threads that run the parts of a step: results in order, errors, copies, forks, an end."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from mindup_env.threads.pool import ThreadPool, check_num_threads, split, usable_cores
from tests.processes import error_after_fork


def test_functions_are_called_in_different_threads() -> None:
    """The only function of a run is called in the thread of the caller."""
    assert ThreadPool(3).run([threading.get_ident]) == [threading.get_ident()]
    meeting = threading.Barrier(3)

    def meet(number: int) -> tuple[int, int]:
        meeting.wait(timeout=30)  # fails unless all three run at the same time
        return number, threading.get_ident()

    pool = ThreadPool(3)
    for _ in range(2):
        results = pool.run([partial(meet, number) for number in range(3)])
        assert sorted(number for number, _ in results) == [0, 1, 2]
        assert len({thread for _, thread in results}) == 3


@pytest.mark.parametrize("num_threads", [1, 2, 4 * usable_cores()])
def test_each_function_is_called_once_in_each_run(num_threads: int) -> None:
    """No more are called at once than there are threads."""
    pools, calls, running, most = [ThreadPool(num_threads) for _ in range(3)], [0] * 7, [0], [0]
    lock = threading.Lock()

    def count(place: int) -> int:
        with lock:
            calls[place] += 1
            running[0] += 1
            most[0] = max(running[0], most[0])
        time.sleep(0.0001)  # lets other threads call theirs
        with lock:
            running[0] -= 1
        return place

    for number in range(1, 50):
        for pool in pools:
            results = pool.run([partial(count, place) for place in range(7)])
            assert sorted(results) == [*range(7)]
        assert calls == [3 * number] * 7
    assert most[0] <= num_threads


def test_an_error_is_raised_when_all_parts_have_ended() -> None:
    ended = []

    def fail() -> None:
        raise ValueError("wrong")

    def take_time() -> None:
        time.sleep(0.05)
        ended.append(True)

    pool = ThreadPool(2)
    for functions in ([fail, take_time], [take_time, fail]):
        with pytest.raises(ValueError, match="wrong"):
            pool.run(functions)
    assert len(ended) == 2
    assert sorted(pool.run([lambda: 1, lambda: 2])) == [1, 2]


def test_the_end_of_an_iterator_is_an_error_too() -> None:
    calls: list[Callable[[], object]] = [partial(next, iter(())), int, int]
    with pytest.raises(RuntimeError, match="StopIteration"):
        ThreadPool(2).run(calls)


def test_an_interrupt_is_raised_when_all_parts_have_ended() -> None:
    begun, interrupted, ended = threading.Event(), threading.Event(), []

    def interrupt() -> None:
        signal.raise_signal(signal.SIGINT)
        interrupted.set()

    def part() -> None:
        if threading.current_thread() is threading.main_thread():
            begun.wait()
            threading.Timer(0.05, interrupt).start()  # when this thread waits for the other
        else:
            begun.set()
            interrupted.wait()
            ended.append(True)

    pool = ThreadPool(2)
    with pytest.raises(KeyboardInterrupt):
        pool.run([part, part])
    assert ended
    assert sorted(pool.run([lambda: 1, lambda: 2])) == [1, 2]


def test_the_threads_and_what_they_called_end_with_the_pool() -> None:
    before = set(threading.enumerate())  # also threads of other pools, which may end meanwhile
    pool, array = ThreadPool(5), np.zeros(3)
    for needed in (1, 3, 2, 4, 1):
        results = pool.run([partial(int, number) for number in range(needed)])
        assert sorted(results) == [*range(needed)]
    pool.run([array.sum] * 2)
    started, kept = set(threading.enumerate()) - before, weakref.ref(array)
    assert len(started) == 3, "one for each function but the caller's, and none twice"
    del pool, array
    gc.collect()
    for thread in started:
        thread.join(timeout=30)
        assert not thread.is_alive()
    assert kept() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda pool: pickle.loads(pickle.dumps(pool))])
def test_a_copy_has_threads_of_its_own(copied: Callable[[ThreadPool], ThreadPool]) -> None:
    pool = ThreadPool(2)
    pool.run([lambda: None] * 2)
    other = copied(pool)
    assert other.num_threads == 2
    assert sorted(other.run([lambda: 1, lambda: 2])) == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_refused_in_words() -> None:
    pool = ThreadPool(2)
    pool.run([lambda: None] * 2)
    assert "make the object after the fork" in error_after_fork(
        lambda: pool.run([lambda: None] * 2)
    )


EXITS = """
from mindup_env import BatchEnv
env = BatchEnv(num_envs=600, num_threads=2)
seen, _ = env.reset(seed=0)
env.step(seen["action_mask"].argmax(-1))
"""


def test_a_process_can_exit_while_threads_wait() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", EXITS], check=False, capture_output=True, timeout=600
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_the_number_of_threads() -> None:
    assert check_num_threads("all") == usable_cores() >= 1
    for wrong in (0, -1, 1.5, "two", True):
        with pytest.raises(ValueError, match="or 'all' for one thread per core"):
            check_num_threads(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("size", "sizes"), [(0, [0]), (9, [9]), (19, [19]), (21, [10, 11]), (100, [33, 33, 34])]
)
def test_split_covers_a_range_in_equal_parts_of_at_least_a_size(
    size: int, sizes: list[int]
) -> None:
    parts = split(size, 3, least=10)
    assert [part.stop - part.start for part in parts] == sizes
    assert [place for part in parts for place in range(size)[part]] == [*range(size)]
