"""Threads that share a compiled run: each game once, wake-ups, errors, forks, an end."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest

from mindup_env.engine import kernel_team
from mindup_env.engine.atomics import add, load, pause, store
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernel_team import KernelTeam
from mindup_env.engine.team_kernels import REFUSED, lead, post
from mindup_env.threads.pool import usable_cores
from tests.processes import error_after_fork

SIZE = 100
PATIENCE = 10**9
"""Tries of a compiled loop: tens of seconds."""


def make_team(num_threads: int, size: int = SIZE) -> tuple[KernelTeam, Any, Any]:
    """A team, what its kernels count for each game (size,), and a flag of each thread."""
    counts, flags = np.zeros(size, np.int64), np.zeros(num_threads, np.int64)
    arguments = [(counts, flags, thread) for thread in range(num_threads)]
    return KernelTeam(size, arguments), counts, flags


@kernel
def count(command: int, first: int, last: int, arguments: tuple[Any, ...]) -> int:
    """Counts the games, and returns a bit for each game below 60."""
    counts, _flags, _thread = arguments
    seen = 0
    for game in range(first, last):
        add(counts, game, command)
        seen |= 1 << min(game, 60)
    return seen


@kernel
def meet(_command: int, _first: int, _last: int, arguments: tuple[Any, ...]) -> int:
    """Waits until all threads are here; returns 1 if they do not come."""
    _counts, flags, thread = arguments
    store(flags, thread, 1)
    for _ in range(PATIENCE):
        here = 0
        for other in range(len(flags)):
            here += load(flags, other)
        if here == len(flags):
            return 0
        pause()
    return 1


@kernel
def take_time(command: int, first: int, last: int, arguments: tuple[Any, ...]) -> int:
    """Counts the games slowly."""
    counts, _flags, _thread = arguments
    for game in range(first, last):
        for _ in range(command):
            pause()
        add(counts, game, 1)
    return 0


@kernel
def fail(command: int, first: int, last: int, arguments: tuple[Any, ...]) -> int:
    """Counts the games, and fails after the one that the command names."""
    counts, _flags, _thread = arguments
    for game in range(first, last):
        add(counts, game, 1)
        if game == command:
            raise ValueError("wrong")
    return 0


def wait_until_asleep(team: KernelTeam) -> None:
    deadline = time.monotonic() + 30
    while not team._asleep[1 : team._threads].all():
        assert time.monotonic() < deadline, "a thread never sleeps"
        time.sleep(0.001)


@pytest.mark.parametrize("num_threads", [1, 2, 3, 5])
@pytest.mark.parametrize("size", [1, 7, SIZE])
def test_every_game_is_done_once_in_each_run(num_threads: int, size: int) -> None:
    team, counts, _ = make_team(num_threads, size)
    for run in range(1, 200):
        assert team.run(count, 1) == (1 << min(size, 61)) - 1
        assert (counts == run).all()


def test_all_threads_work_at_the_same_time_also_after_a_sleep() -> None:
    team, _, flags = make_team(3)
    for _ in range(3):
        flags[:] = 0
        assert team.run(meet) == 0, "a thread did not come"
        wait_until_asleep(team)


def test_no_wake_up_is_lost() -> None:
    """The caller posts runs at about the time at which the other thread goes to sleep."""
    team, _, flags = make_team(2)
    team.run(meet)
    for seconds in np.random.default_rng(0).uniform(0, 6e-4, size=300):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
        flags[:] = 0
        assert team.run(meet) == 0, "the thread was not woken"


def test_more_threads_than_cores_make_progress() -> None:
    team, counts, _ = make_team(4 * usable_cores())
    for run in range(1, 100):
        team.run(count, 1)
        assert (counts == run).all()


def test_many_teams_at_once() -> None:
    teams = [make_team(3) for _ in range(8)]
    for run in range(1, 30):
        for team, counts, _ in teams:
            team.run(count, 1)
            assert (counts == run).all()


@pytest.mark.parametrize("game", [0, SIZE - 1])
def test_an_error_of_any_thread_is_raised_at_the_end(game: int) -> None:
    team, counts, _ = make_team(2)
    for run in range(1, 20):
        with pytest.raises(RuntimeError, match="fail failed in a thread: num_threads=1 shows"):
            team.run(fail, game)
        assert counts[game] == run
        assert counts.sum() >= run * 90, "the other chunks are done"
    alone, _, _ = make_team(1)
    with pytest.raises(ValueError, match="wrong"):
        alone.run(fail, game)
    counts[:] = 0
    team.run(count, 1)
    assert (counts == 1).all()


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError, SystemExit])
def test_an_error_of_a_signal_handler_is_raised_when_no_thread_works_any_more(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    team, counts, _ = make_team(2)
    team.run(take_time, 0)  # compiles it, and starts the threads
    calls = iter(range(1000))

    def post_then_interrupt(*arguments: Any) -> int:
        post(*arguments)
        raise error

    def interrupt_then_lead(*arguments: Any) -> int:
        if next(calls) == 0:
            raise error
        result: int = lead(*arguments)
        return result

    monkeypatch.setattr(kernel_team, "lead", interrupt_then_lead)
    with pytest.raises(error):
        team.run(take_time, 1000)
    assert (counts == 2).all()
    monkeypatch.setattr(kernel_team, "post", post_then_interrupt)
    with pytest.raises(error):
        team.run(take_time, 1000)
    assert (counts == 3).all()


def test_a_run_that_was_left_undone_is_done_before_the_next() -> None:
    team, counts, _ = make_team(2)
    team.run(take_time, 0)
    for run in range(2, 50, 2):
        assert post(team._shared, 2, team._addresses[take_time], 100) != REFUSED
        team.run(take_time, 1)
        assert (counts == run + 1).all()


def test_threads_and_arrays_end_with_the_team() -> None:
    before = set(threading.enumerate())
    team, counts, flags = make_team(4)
    team.run(count, 1)  # from now on the threads wait for more
    started = set(threading.enumerate()) - before
    assert len(started) == 3
    arrays = weakref.ref(counts)
    del team, counts, flags
    gc.collect()
    for thread in started:
        thread.join(timeout=30)
        assert not thread.is_alive()
    assert arrays() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_refused_in_words() -> None:
    team, _, _ = make_team(2)
    team.run(count, 1)
    assert "make the object after the fork" in error_after_fork(lambda: team.run(count, 1))


EXITS = """
from mindup_env import BatchEnv
env = BatchEnv(num_envs=600, num_threads=2)
seen, _ = env.reset(seed=0)
env.step(seen["action_mask"].argmax(-1))
"""


def test_a_process_can_exit_while_threads_wait() -> None:
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, "-c", EXITS], check=False, capture_output=True, timeout=600
        )
        assert (ended.returncode, ended.stderr) == (0, b"")
