"""Threads that run the parts of a step at the same time.

Compiled code releases Python's global lock, so threads run it on several cores.
"""

import os
import weakref
from collections.abc import Callable, Sequence
from operator import call
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from mindup_env.settings.checks import check_int

NumThreads = int | str
"""A number of threads, or ``"all"``: one for each core that this process may use."""

_MAX_THREADS = 1024

R = TypeVar("R")


class ThreadPool:
    """Calls functions at the same time, some of them in the thread of the caller.

    The threads start with the first run of several functions, and end with the pool. A copy of a
    pool starts threads of its own.
    """

    def __init__(self, num_threads: NumThreads) -> None:
        self.num_threads = check_num_threads(num_threads)
        self._queues: list[_Runs] = []  # one for each thread but the caller's
        self._unfinished: _Run[Any] | None = None
        self._process = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadPool, (self.num_threads,)

    def run(self, functions: Sequence[Callable[[], R]]) -> list[R]:
        """Calls at most ``num_threads`` functions at the same time; the results are in any order.

        An error of one of them, an interrupt, or what another signal handler raises, is raised when
        none of them runs any more. Then all others were called; or none, if it came before. A
        signal does not keep a compiled function from being called, but can interrupt one of Python.
        """
        if len(functions) == 1:
            return [functions[0]()]
        others = min(len(functions), self.num_threads) - 1
        self._start(others)
        if self._unfinished is not None:  # interrupts came while an interrupt was being handled
            self._finish(self._unfinished, others)
        run = _Run(functions)
        try:
            self._finish(run, others)
        except BaseException:
            self._finish(run, others)
            raise
        if len(run.results) != len(functions):  # an iterator takes this error for its end
            raise RuntimeError("a function that a thread pool called raised StopIteration")
        return run.results

    def _start(self, threads: int) -> None:
        if self._process not in (0, os.getpid()):
            raise RuntimeError(
                "the threads of this object are in the process that was forked: make the object "
                "after the fork, or start processes with the method 'spawn' or 'forkserver'"
            )
        if not self._process:
            weakref.finalize(self, _end, self._queues)
            self._process = os.getpid()
        while len(self._queues) < threads:
            queue: _Runs = SimpleQueue()
            name = f"mindup-{len(self._queues) + 1}"
            Thread(target=_serve, args=(queue,), name=name, daemon=True).start()
            self._queues.append(queue)

    def _finish(self, run: "_Run[Any]", others: int) -> None:
        """Returns when all functions of a run have been called; only then raises an error."""
        error, posts = None, 0
        while not run.is_done:
            try:
                self._unfinished = run
                while posts < others:  # once too often does not matter
                    self._queues[posts].put(run)
                    posts += 1
                run.results.extend(run.calls)
                run.wait()
                run.is_done = True
            except BaseException as raised:  # noqa: BLE001  # raised when the threads are done
                error = error or raised
        self._unfinished = None
        for each in (error, *run.errors):
            if each is not None:
                run.errors.clear()
                raise each


class _Run(Generic[R]):
    """Functions to call, and what became of them.

    Each thread takes calls until none is left: so none waits for one that wakes up late.
    """

    def __init__(self, functions: Sequence[Callable[[], R]]) -> None:
        # A step of this iterator takes a function and calls it, and no code of Python runs in
        # between, where a signal could raise an error and the function would be left out.
        self.calls = map(call, functions)
        self.results: list[R] = []
        self.errors: list[BaseException] = []
        self.is_done = False
        self._begun: list[None] = []  # an entry for each other thread
        self._ended: list[None] = []
        self._wake: SimpleQueue[None] = SimpleQueue()

    def help(self) -> None:
        """Calls functions in another thread than the caller's, until none is left."""
        self._begun.append(None)  # first, so that the caller waits for this thread
        results: list[R] = []
        is_done = False
        while not is_done:
            try:
                results.extend(self.calls)
                is_done = True
            except BaseException as error:  # noqa: BLE001  # raised in the thread of the caller
                self.errors.append(error)
        self.results += results
        self._ended.append(None)
        self._wake.put(None)

    def wait(self) -> None:
        """Returns when all other threads that have begun have ended."""
        while len(self._ended) < len(self._begun):
            self._wake.get()


_Runs = SimpleQueue[_Run[Any] | None]


def _serve(queue: _Runs) -> None:
    while run := queue.get():
        run.help()
        del run  # what it refers to can be freed while the thread waits


def _end(queues: list[_Runs]) -> None:
    for queue in queues:
        queue.put(None)


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
