"""The processes that play; one in which a bot takes too long, or dies, is replaced."""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Self

from mindup_arena.chunk import Task
from mindup_arena.process import WorkerProcess
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker import Done


def play_all(settings: ArenaSettings, chunks: Sequence[Chunk], num_workers: int) -> Iterator[Done]:
    """Plays the chunks and gives each when it is done, in any order."""
    with WorkerPool(settings, min(num_workers, len(chunks))) as pool:
        yield from pool.play(chunks)


class WorkerPool:
    """Its processes are there until it is closed."""

    def __init__(self, settings: ArenaSettings, num_workers: int) -> None:
        self._settings = settings
        self._tasks: deque[Task] = deque()
        self._workers: list[WorkerProcess] = []
        self._num_workers = num_workers

    def __enter__(self) -> Self:
        for _ in range(self._num_workers):
            self._workers.append(WorkerProcess(self._settings))
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()

    def play(self, chunks: Iterable[Chunk]) -> Iterator[Done]:
        self._tasks.extend(Task(chunk) for chunk in chunks)
        while self._hand_out():
            yield from self._hear()

    def _hand_out(self) -> bool:
        """Gives tasks to those who have none; says whether anybody has one."""
        for place, worker in enumerate(self._workers):
            if worker.failure is not None:
                self._tasks.appendleft(worker.task_again())
                worker.stop()
                self._workers[place] = WorkerProcess(self._settings)
        for worker in self._workers:
            if worker.task is None and self._tasks:
                worker.give(self._tasks.popleft())
        return any(worker.task is not None for worker in self._workers)

    def _hear(self) -> Iterator[Done]:
        """Waits until a worker says something or runs out of time."""
        busy = [each for each in self._workers if each.task is not None]
        patience = min(each.seconds_left(time.monotonic()) for each in busy)
        connections = [each.connection for each in busy]
        speaking = wait(connections, None if patience == math.inf else max(patience, 0))
        for worker in busy:
            message = worker.hear() if worker.connection in speaking else None
            if message is not None:
                yield message
        for worker in busy:
            worker.judge(time.monotonic())
