"""The threads that play the games of an environment."""

from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Any

from mindup_env.threads.pool import ThreadPool, split

LEAST_GAMES = 256
"""A thread with fewer games would cost more time than it saves: waking it takes as long."""

_PARTS_PER_THREAD = 4
"""A thread that wakes up late leaves some of its parts to the others."""

_LEAST_PART = 512
"""With fewer games, parts beyond one per thread cost more to hand out than a late thread does."""

Kernel = Callable[[int, int, int, Any], int]
"""A function (command, first, last, arguments) for the games ``first`` to ``last - 1``."""


class GameThreads:
    """Runs kernels on N games, each thread on a part of them.

    Args:
        num_games: N.
        num_threads: at most so many threads.
        make_arguments: makes the arguments of the kernels for a part, with scratch of its own.
    """

    def __init__(
        self, num_games: int, num_threads: int, make_arguments: Callable[[], tuple[Any, ...]]
    ) -> None:
        threads = max(1, min(num_threads, num_games // LEAST_GAMES))
        most = threads * _PARTS_PER_THREAD if threads > 1 else 1
        parts = split(num_games, max(threads, min(most, num_games // _LEAST_PART)))
        self._parts = [(part.start, part.stop, make_arguments()) for part in parts]
        self._num_games, self._first_arguments = num_games, self._parts[0][2]
        self._is_alone = len(parts) == 1
        self._pool = ThreadPool(threads)
        self._compiled: set[Kernel] = set()

    def run(self, kernel: Kernel, command: int = 0) -> int:
        """The results for all games, combined by bitwise or."""
        if self._is_alone:  # the fastest way, for a single game
            return kernel(command, 0, self._num_games, self._first_arguments)
        if kernel not in self._compiled:
            kernel(command, 0, 0, self._first_arguments)  # an interrupt could come meanwhile
            self._compiled.add(kernel)
        return reduce(
            or_, self._pool.run([partial(kernel, command, *part) for part in self._parts])
        )
