"""A worker's process as it is seen from the process that started it."""

import math
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker

from mindup_arena.chunk import Task
from mindup_arena.guarded_bot import Forfeit
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker import Called, Done, Returned, serve

# Spawned, not forked: a fork may inherit the lock of some library's thread.
_context = get_context("spawn")

ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)
"""Workers would take each other's cores, and sums in many threads may differ in the last bit."""

DIED = "its process died"


class WorkerProcess:
    """A process, the task it has, and the call of a bot that it is in."""

    def __init__(self, settings: ArenaSettings) -> None:
        self._time_limit = math.inf if settings.time_limit is None else settings.time_limit
        self.connection, theirs = _context.Pipe()
        self._process = _context.Process(target=serve, args=(theirs, settings), daemon=True)
        with _one_thread(), _no_interrupts():
            self._process.start()
        theirs.close()  # or the end of the process would not show on our end
        self.task: Task | None = None
        self.failure: str | None = None
        self._call: Called | None = None
        self._since = 0.0

    def give(self, task: Task) -> None:
        self.task = task
        with suppress(BrokenPipeError, ConnectionResetError):  # a dead process is found by hear()
            self.connection.send(task)

    def hear(self) -> Done | None:
        """Takes in one message; gives it if a chunk is done."""
        try:
            message = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.failure = DIED
            return None
        if isinstance(message, Done):
            self.task = None
            return message
        self._call = None if isinstance(message, Returned) else message
        self._since = time.monotonic()
        return None

    def seconds_left(self, now: float) -> float:
        return math.inf if self._call is None else self._since + self._time_limit - now

    def judge(self, now: float) -> None:
        """Fails a call that took too long, unless its end only waits to be heard."""
        if self.failure is None and self.seconds_left(now) <= 0 and not self.connection.poll():
            self.failure = f"a call took longer than {self._time_limit:g} s"

    def task_again(self) -> Task:
        """The task to be played again.

        A process that dies may have been killed from outside, for its memory or by a person. If
        that happens a second time, the bot that was asked forfeits, as one that takes too long.
        """
        if self.task is None or self.failure is None:
            raise RuntimeError("a worker's process did not fail in a task")
        if self.failure == DIED and not self.task.died:
            return self.task._replace(died=True)
        if self._call is None:
            raise RuntimeError("a worker's process died, and not in the call of a bot")
        forfeit = Forfeit(self._call.bot, self._call.decision, self.failure)
        return self.task._replace(forfeits=(*self.task.forfeits, forfeit))

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Libraries read their numbers of threads from the environment when they are loaded."""
    before = dict(os.environ)
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name in ONE_THREAD:
            del os.environ[name]
            if name in before:
                os.environ[name] = before[name]


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal; what is started in here does not hear it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process started begins a tracker before it, and that lets interrupts in again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
