"""Threads that run the parts of a step at the same time.

Compiled code releases Python's global lock, so threads run it on several cores.
"""

import os
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from mindup_env.settings.checks import check_int

NumThreads = int | str
"""A number of threads, or ``"all"``: one for each core that this process may use."""

_MAX_THREADS = 1024


R = TypeVar("R")


class Call(Generic[R]):
    """A call for one of the threads, and then its result or its error."""

    def __init__(self, function: Callable[[], R]) -> None:
        self._function = function
        self._results: list[R] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._results.append(self._function())
        except BaseException as error:  # noqa: BLE001  # raised in the thread of the caller
            self._error = error

    @property
    def has_ended(self) -> bool:
        return bool(self._results) or self._error is not None

    def result(self) -> R:
        if self._error is not None:
            raise self._error
        return self._results[0]


CallQueue = SimpleQueue[Call[Any] | None]


class ThreadPool:
    """Calls functions at the same time, one of them in the thread of the caller.

    A thread starts when a run needs it, and ends with the team. A copy of a team starts threads of
    its own.
    """

    def __init__(self, num_threads: NumThreads) -> None:
        self.num_threads = check_num_threads(num_threads)
        self._queues: list[CallQueue] = []  # one for each thread but the caller's
        self._finished: SimpleQueue[None] = SimpleQueue()
        self._process = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadPool, (self.num_threads,)

    def run(self, functions: Sequence[Callable[[], R]]) -> list[R]:
        """Calls at most ``num_threads`` functions at the same time; returns their results in order.

        An error of one of them, or an interrupt, is raised when none of them runs any more.
        """
        if len(functions) == 1:
            return [functions[0]()]
        self._start(len(functions) - 1)
        calls = own, *others = [Call(function) for function in functions]
        handed_out = []
        try:
            for queue, call in zip(self._queues, others, strict=False):
                queue.put(call)
                handed_out.append(call)
            own.run()
        finally:
            self._wait(handed_out)
        return [call.result() for call in calls]

    def _start(self, needed: int) -> None:
        """Starts threads until there are as many as needed beside the caller's."""
        refuse_fork(self._process)
        if not self._process:
            weakref.finalize(self, _end, self._queues)
            self._process = os.getpid()
        while len(self._queues) < min(needed, self.num_threads - 1):
            queue: CallQueue = SimpleQueue()
            name = f"mindup-{len(self._queues) + 1}"
            Thread(target=_work, args=(queue, self._finished), name=name, daemon=True).start()
            self._queues.append(queue)

    def _wait(self, calls: Sequence[Call[R]]) -> None:
        """Returns when the calls have ended; only then raises an interrupt."""
        interrupt = None
        while not all(call.has_ended for call in calls):
            try:
                self._finished.get()
            except KeyboardInterrupt as error:
                interrupt = error
        while not self._finished.empty():  # those of calls that had ended before
            self._finished.get()
        if interrupt:
            raise interrupt


def check_num_threads(number: NumThreads, name: str = "num_threads") -> int:
    """The number of threads; others than ``"all"`` and whole numbers from 1 on are refused."""
    if number == "all":
        return usable_cores()
    try:
        return check_int(name, number, 1, _MAX_THREADS)
    except ValueError as error:
        raise ValueError(f"{error}, or 'all' for one thread per core") from None


def refuse_fork(process: int) -> None:
    """Raises a RuntimeError if threads were started in another process; 0 if in none yet."""
    if process not in (0, os.getpid()):
        raise RuntimeError(
            "the threads of this object are in the process that was forked: make the object "
            "after the fork, or start processes with the method 'spawn' or 'forkserver'"
        )


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


def _work(queue: "CallQueue", finished: "SimpleQueue[None]") -> None:
    while call := queue.get():
        call.run()
        del call  # what it refers to can be freed while the thread waits
        finished.put(None)


def _end(queues: "list[CallQueue]") -> None:
    for queue in queues:
        queue.put(None)
