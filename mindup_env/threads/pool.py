"""Threads that run the parts of a step at the same time.

Compiled code releases Python's global lock, so threads run it on several cores.
"""

import os
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from mindup_env.settings.checks import check_int

NumThreads = int | str
"""A number of threads, or ``"all"``: one for each core that this process may use."""

_MAX_THREADS = 1024

R = TypeVar("R")


class ThreadPool:
    """Calls functions at the same time, each in a thread of the pool.

    Signals interrupt only the thread of the caller, which waits: so the functions of a run are
    all called to their ends, or none of them is.

    The threads start with the first run of several functions, and end with the pool. A copy of a
    pool starts threads of its own.
    """

    def __init__(self, num_threads: NumThreads) -> None:
        self.num_threads = check_num_threads(num_threads)
        self._posted: _Runs = SimpleQueue()
        self._unfinished: _Run[Any] | None = None
        self._started = 0
        self._process = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadPool, (self.num_threads,)

    def run(self, functions: Sequence[Callable[[], R]]) -> list[R]:
        """Calls at most ``num_threads`` functions at the same time; returns their results in order.

        An error of one of them, an interrupt, or what another signal handler raises, is raised when
        none of them runs any more. The only function of a run is called in the caller's thread.
        """
        if len(functions) == 1:
            return [functions[0]()]
        threads = min(len(functions), self.num_threads)
        self._start(threads)
        if self._unfinished is not None:  # interrupts came while an interrupt was being handled
            self._finish(self._unfinished, threads)
        run = _Run(functions)
        try:
            self._finish(run, threads)
        except BaseException:
            self._finish(run, threads)
            raise
        return run.results()

    def _start(self, threads: int) -> None:
        if self._process not in (0, os.getpid()):
            raise RuntimeError(
                "the threads of this object are in the process that was forked: make the object "
                "after the fork, or start processes with the method 'spawn' or 'forkserver'"
            )
        if not self._process:
            weakref.finalize(self, self._posted.put, None)
            self._process = os.getpid()
        while self._started < threads:
            name = f"mindup-{self._started + 1}"
            Thread(target=_serve, args=(self._posted,), name=name, daemon=True).start()
            self._started += 1

    def _finish(self, run: "_Run[Any]", threads: int) -> None:
        """Returns when all functions of a run have been called; only then raises an interrupt."""
        interrupt, posts = None, 0
        while not run.is_done:
            try:
                self._unfinished = run
                # Each thread calls functions until none is left, so that a thread that wakes up
                # late holds nobody up. It does not matter if a run is posted too often.
                while posts < threads:
                    self._posted.put(run)
                    posts += 1
                run.ended.get()
            except BaseException as error:  # noqa: BLE001  # raised when the threads are done
                interrupt = error
        self._unfinished = None
        if interrupt is not None:
            raise interrupt


class _Run(Generic[R]):
    """Functions to call, and what became of them."""

    def __init__(self, functions: Sequence[Callable[[], R]]) -> None:
        self.ended: SimpleQueue[None] = SimpleQueue()  # an entry for each call that has ended
        self._waiting = deque(enumerate(functions))
        self._results: list[R | None] = [None] * len(functions)
        self._errors: dict[int, BaseException] = {}
        self._running = [True] * len(functions)

    @property
    def is_done(self) -> bool:
        return not any(self._running)

    def call_waiting(self) -> None:
        """Calls functions until all have been called, by this thread or another."""
        while True:
            try:
                index, function = self._waiting.popleft()
            except IndexError:
                return
            try:
                self._results[index] = function()
            except BaseException as error:  # noqa: BLE001  # raised in the thread of the caller
                self._errors[index] = error
            self._running[index] = False
            self.ended.put(None)

    def results(self) -> list[R]:
        if self._errors:
            raise self._errors[min(self._errors)]
        return self._results  # type: ignore[return-value]  # all are there


_Runs = SimpleQueue[_Run[Any] | None]


def _serve(posted: _Runs) -> None:
    while run := posted.get():
        run.call_waiting()
        del run  # what it refers to can be freed while the thread waits
    posted.put(None)  # for the next thread


def check_num_threads(number: NumThreads, name: str = "num_threads") -> int:
    """The number of threads; others than ``"all"`` and whole numbers from 1 on are refused."""
    if number == "all":
        return usable_cores()
    try:
        return check_int(name, number, 1, _MAX_THREADS)
    except ValueError as error:
        raise ValueError(f"{error}, or 'all' for one thread per core") from None


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def split(size: int, parts: int, least: int = 1) -> list[slice]:
    """Cuts a range into so many parts of about equal size, or fewer of at least ``least`` entries.

    There is one part at least, also of a smaller range.
    """
    parts = min(parts, max(1, size // least))
    return [slice(part * size // parts, (part + 1) * size // parts) for part in range(parts)]
