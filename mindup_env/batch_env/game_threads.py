"""The threads that play the games of an environment, and the arguments of their compiled step."""

from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Any, NamedTuple

from mindup_env.batch_env.buffers import Arrays, FlatArrays, StepBuffers, flatten
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.state import Int64Array
from mindup_env.observation.layout import Offsets
from mindup_env.rewards import RewardWeights
from mindup_env.threads.pool import ThreadPool, split

LEAST_GAMES = 256
"""A thread with fewer games would cost more time than it saves: waking it takes as long."""

_PARTS_PER_THREAD = 4
"""A thread that wakes up late leaves some of its parts to the others."""

_LEAST_PART = 512
"""With fewer games, parts beyond one per thread cost more to hand out than a late thread does."""

Kernel = Callable[[int, int, int, Any], int]
"""A function (command, first, last, arguments) for the games ``first`` to ``last - 1``."""


class EnvArrays(NamedTuple):
    """All that a step of N games reads and writes."""

    batch: Batch
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    results: StepBuffers
    seen: Arrays  # what every seat sees
    final: Arrays  # what every seat saw before games that are over were dealt anew


class StepArguments(NamedTuple):
    """The arguments of ``run_command``, as plain tuples."""

    arrays: BatchArrays
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    weights: tuple[float, ...]
    results: tuple[Any, ...]
    offsets: tuple[int, ...]
    seen: FlatArrays
    final: FlatArrays


class GameThreads:
    """Runs kernels on all games of an environment, each thread on a part of them.

    Args:
        env: the games.
        num_threads: at most so many threads.
        offsets: the places of the parts of an observation.
        weights: what a step pays.
    """

    def __init__(
        self, env: EnvArrays, num_threads: int, offsets: Offsets, weights: RewardWeights
    ) -> None:
        shared = env.batch.arrays, env.keys, env.actions, tuple(weights), tuple(env.results)
        threads = max(1, min(num_threads, len(env.keys) // LEAST_GAMES))
        most = threads * _PARTS_PER_THREAD if threads > 1 else 1
        self._parts = split(len(env.keys), max(threads, min(most, len(env.keys) // _LEAST_PART)))
        self._arguments = [
            tuple(StepArguments(*shared, tuple(offsets), flatten(env.seen), flatten(env.final)))
            for _ in self._parts  # each has scratch of its own
        ]
        self._num_games, self._first_arguments = len(env.keys), self._arguments[0]
        self._is_alone = len(self._parts) == 1
        self._pool = ThreadPool(threads)
        self._compiled: set[Kernel] = set()

    def run(self, kernel: Kernel, command: int = 0) -> int:
        """The results for all games, combined by bitwise or."""
        if self._is_alone:  # the fastest way, for a single game
            return kernel(command, 0, self._num_games, self._first_arguments)
        if kernel not in self._compiled:
            kernel(command, 0, 0, self._first_arguments)  # an interrupt could come meanwhile
            self._compiled.add(kernel)
        calls = [
            partial(kernel, command, part.start, part.stop, arguments)
            for part, arguments in zip(self._parts, self._arguments, strict=True)
        ]
        return reduce(or_, self._pool.run(calls))
