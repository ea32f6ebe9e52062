"""The worker processes of an arena; a process that dies, or in which a bot hangs, is replaced."""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import wait
from typing import Self

from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import MatchSettings
from mindup_arena.worker_process import MakePlayer, WorkerProcess


def play_in_processes(
    settings: MatchSettings,
    chunks: Sequence[Chunk],
    num_workers: int,
    make_player: MakePlayer | None = None,
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order.

    ``make_player`` makes the player in each process: a ``ChunkPlayer`` if it is None.
    """
    with WorkerPool(settings, min(num_workers, len(chunks)), make_player) as pool:
        yield from pool.play(chunks)


class WorkerPool:
    """A context in which its processes run."""

    def __init__(
        self, settings: MatchSettings, num_workers: int, make_player: MakePlayer | None = None
    ) -> None:
        self._make_player = make_player or partial(ChunkPlayer, settings)
        self._time_limit = settings.call_limit
        self._tasks: deque[ChunkTask] = deque()
        self._workers: list[WorkerProcess] = []
        self._num_workers = num_workers

    def __enter__(self) -> Self:
        for _ in range(self._num_workers):
            self._workers.append(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    def play(self, chunks: Iterable[Chunk]) -> Iterator[PlayedChunk]:
        self._tasks.extend(ChunkTask(chunk) for chunk in chunks)
        while self._send_tasks():
            yield from self._receive()

    def _start(self) -> WorkerProcess:
        return WorkerProcess(self._make_player, self._time_limit)

    def _send_tasks(self) -> bool:
        """Gives each idle worker a task; returns whether any worker has one."""
        for place, worker in enumerate(self._workers):
            if worker.failure is not None:
                self._tasks.appendleft(worker.task_again())
                worker.stop()
                self._workers[place] = self._start()
        for worker in self._workers:
            if worker.task is None and self._tasks:
                worker.send(self._tasks.popleft())
        return any(worker.task is not None for worker in self._workers)

    def _receive(self) -> Iterator[PlayedChunk]:
        """Waits until a worker sends a message or runs out of time."""
        busy = [each for each in self._workers if each.task is not None]
        patience = min(each.seconds_left(time.monotonic()) for each in busy)
        connections = [each.connection for each in busy]
        ready = wait(connections, None if patience == math.inf else max(patience, 0))
        for worker in busy:
            message = worker.receive() if worker.connection in ready else None
            if message is not None:
                yield message
        for worker in busy:
            worker.check_time(time.monotonic())
