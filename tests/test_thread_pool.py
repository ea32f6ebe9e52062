"""Threads that run the parts of a step: results in order, errors, copies, forks, an end."""

import copy
import gc
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from mindup_env.threads.pool import ThreadPool, check_num_threads, split, usable_cores
from tests.processes import error_after_fork


def test_results_are_in_order_and_come_from_different_threads() -> None:
    meeting = threading.Barrier(3)

    def meet(number: int) -> tuple[int, int]:
        meeting.wait(timeout=10)  # fails unless all three run at the same time
        return number, threading.get_ident()

    team = ThreadPool(3)
    for _ in range(2):
        results = team.run([partial(meet, number) for number in range(3)])
        assert [number for number, _ in results] == [0, 1, 2]
        assert len({thread for _, thread in results}) == 3
    assert results[0][1] == threading.get_ident()


def set_and_return(event: threading.Event) -> bool:
    event.set()
    return True


def test_calls_that_end_before_that_of_the_caller_leave_nothing_behind() -> None:
    team = ThreadPool(2)
    ended = threading.Event()
    for _ in range(50):
        ended.clear()
        team.run([partial(ended.wait, 10), partial(set_and_return, ended)])
    assert team._finished.qsize() <= 1  # the last one can come after the run


def test_an_error_is_raised_when_all_parts_have_ended() -> None:
    ended = []

    def fail() -> None:
        raise ValueError("wrong")

    def take_time() -> None:
        time.sleep(0.05)
        ended.append(True)

    team = ThreadPool(2)
    for functions in ([fail, take_time], [take_time, fail]):
        with pytest.raises(ValueError, match="wrong"):
            team.run(functions)
    assert len(ended) == 2
    assert team.run([lambda: 1, lambda: 2]) == [1, 2]


def test_an_interrupt_is_raised_when_all_parts_have_ended() -> None:
    ended = []

    def take_time() -> None:
        time.sleep(0.3)
        ended.append(True)

    def interrupt_soon() -> None:
        threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()

    team = ThreadPool(2)
    with pytest.raises(KeyboardInterrupt):
        team.run([interrupt_soon, take_time])
    assert ended
    assert team.run([lambda: 1, lambda: 2]) == [1, 2]


def test_the_threads_end_with_the_team() -> None:
    before = set(threading.enumerate())  # also threads of other teams, which may end meanwhile
    team = ThreadPool(5)
    for needed in (1, 3, 2, 4, 1):
        assert team.run([partial(int, number) for number in range(needed)]) == [*range(needed)]
    started = set(threading.enumerate()) - before
    assert len(started) == 3, "one for each function but the caller's, and none twice"
    del team
    gc.collect()
    for thread in started:
        thread.join(timeout=10)
        assert not thread.is_alive()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda team: pickle.loads(pickle.dumps(team))])
def test_a_copy_has_threads_of_its_own(copied: Callable[[ThreadPool], ThreadPool]) -> None:
    team = ThreadPool(2)
    team.run([lambda: None] * 2)
    other = copied(team)
    assert other.num_threads == 2
    assert other.run([lambda: 1, lambda: 2]) == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_refused_in_words() -> None:
    team = ThreadPool(2)
    team.run([lambda: None] * 2)
    assert "make the object after the fork" in error_after_fork(
        lambda: team.run([lambda: None] * 2)
    )


def test_the_number_of_threads() -> None:
    assert check_num_threads("all") == usable_cores() >= 1
    for wrong in (0, -1, 1.5, "two", True):
        with pytest.raises(ValueError, match="or 'all' for one thread per core"):
            check_num_threads(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "parts"), [(10, 3), (2, 5), (1, 1), (7, 7)])
def test_split_covers_a_range_in_parts_of_about_equal_size(size: int, parts: int) -> None:
    places = [list(range(size))[part] for part in split(size, parts)]
    assert [place for part in places for place in part] == list(range(size))
    sizes = [len(part) for part in places]
    assert len(sizes) == min(size, parts)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("size", "sizes"), [(0, [0]), (9, [9]), (19, [19]), (21, [10, 11]), (99, [33, 33, 33])]
)
def test_split_makes_no_part_smaller_than_the_least(size: int, sizes: list[int]) -> None:
    assert [part.stop - part.start for part in split(size, 3, least=10)] == sizes
