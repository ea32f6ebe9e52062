"""Runs a compiled function on the games of a batch, in one thread or several."""

import os
import time
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from mindup_env.engine.atomics import address_of
from mindup_env.engine.compiler import IS_COMPILED
from mindup_env.engine.state import Int64Array
from mindup_env.engine.team_kernels import (
    ASLEEP,
    CHUNKS_PER_THREAD,
    FIRST_LINE,
    LINE,
    POSTED_TO_SLEEPERS,
    REFUSED,
    RUN,
    RUNNING,
    STOP,
    lead,
    post,
    serve,
)
from mindup_env.threads.pool import refuse_fork

WAKE, END = True, False
WakeQueue = SimpleQueue[bool]

Kernel = Callable[[int, int, int, Any], int]
"""A function (command, first, last, arguments) for the games ``first`` to ``last - 1``; its result
is not negative."""

TRIES_PER_GAME, LEAST_TRIES, MOST_TRIES = 8, 4096, 32768
"""How often a thread looks for work before it sleeps. Waking it takes longer than a short run; the
tries take about as long as the run, so that waiting at most doubles the use of a core."""

_SECONDS_BETWEEN_LOOKS = 5e-5
"""How long the caller sleeps between checks for the end of a run."""


class KernelTeam:
    """Runs kernels on a number of games in several threads, one of them that of the caller.

    The threads start with the first run and end with the team. Without the compiler there is one.

    Args:
        size: the number of games.
        arguments: the last argument of the kernels in each thread.
    """

    def __init__(self, size: int, arguments: Sequence[tuple[Any, ...]]) -> None:
        self._size, self._arguments = size, arguments
        self._threads = len(arguments) if IS_COMPILED else 1
        tries = TRIES_PER_GAME * size // self._threads
        self._tries = min(max(tries, LEAST_TRIES), MOST_TRIES)
        lines = FIRST_LINE + self._threads * (1 + CHUNKS_PER_THREAD)
        self._shared = np.zeros(lines * LINE, np.int64)
        self._asleep = self._shared[FIRST_LINE * LINE + ASLEEP :: LINE]  # by thread
        self._addresses: dict[Kernel, int] = {}
        self._queues: list[WakeQueue] = []  # one for each thread but the caller's
        self._process = 0

    def run(self, kernel: Kernel, command: int = 0) -> int:
        """The results for all games, combined by bitwise or.

        An error of a kernel, an interrupt, or what another signal handler raises, is raised when no
        thread runs the kernel any more.
        """
        if self._threads == 1:
            return kernel(command, 0, self._size, self._arguments[0])
        if self._process != os.getpid() or len(self._queues) < self._threads - 1:
            self._start()
        if kernel not in self._addresses:
            self._addresses[kernel] = address_of(kernel, self._arguments[0])
        try:
            # Between two lines, a signal handler can raise an error that leaves a run undone.
            while not self._post(self._addresses[kernel], command):
                self._finish()
        except BaseException:
            self._finish()
            raise
        result = self._finish()
        if result < 0:
            name = getattr(kernel, "__name__", kernel)
            raise RuntimeError(f"{name} failed in a thread: num_threads=1 shows the error")
        return result

    def _start(self) -> None:
        refuse_fork(self._process)
        if not self._process:
            self._process = os.getpid()
            weakref.finalize(self, _end, self._shared, self._queues)
            # Compiled before the first run; ``serve`` ends at STOP, and ``lead`` has nothing to do.
            serve(np.full_like(self._shared, STOP), *self._serve_arguments(0))
            lead(np.zeros_like(self._shared), *self._lead_arguments())
        while len(self._queues) < self._threads - 1:
            thread = 1 + len(self._queues)
            queue: WakeQueue = SimpleQueue()
            self._queues.append(queue)  # first, so that no interrupt leads to a second such thread
            arguments = queue, self._shared, *self._serve_arguments(thread)
            name = f"mindup-{thread}"
            Thread(target=_serve_until_end, args=arguments, name=name, daemon=True).start()

    def _serve_arguments(self, thread: int) -> tuple[Any, ...]:
        """Those after the first."""
        return thread, self._threads, self._size, self._tries, self._arguments[thread]

    def _lead_arguments(self) -> tuple[Any, ...]:
        """Those after the first."""
        return self._threads, self._size, self._tries, self._arguments[0]

    def _post(self, address: int, command: int) -> bool:
        """Starts a run, and wakes the threads that sleep; False if the run before is not done."""
        posted = post(self._shared, self._threads, address, command)
        if posted == POSTED_TO_SLEEPERS:
            for thread, queue in enumerate(self._queues, start=1):
                # Not again, if it has not noticed yet that it was woken.
                if self._asleep[thread] and queue.empty():
                    queue.put(WAKE)
        return posted != REFUSED

    def _finish(self) -> int:
        """Works until the run is done, if it is not done yet; returns its result."""
        error, result = None, RUNNING
        while result == RUNNING:
            try:
                result = lead(self._shared, *self._lead_arguments())
                if result == RUNNING:
                    time.sleep(_SECONDS_BETWEEN_LOOKS)
            except BaseException as raised:  # noqa: BLE001  # raised when the threads are done
                error = raised
        if error is not None:
            raise error
        return result


def _serve_until_end(queue: WakeQueue, *arguments: Any) -> None:
    serve(*arguments)
    while queue.get() == WAKE:
        serve(*arguments)


def _end(shared: Int64Array, queues: list[WakeQueue]) -> None:
    shared[RUN] = STOP
    for queue in queues:
        queue.put(END)
