"""The processes that play; one in which a bot takes too long, or dies, is replaced."""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait

from mindup_agents.arena.chunk import Task
from mindup_agents.arena.process import WorkerProcess
from mindup_agents.arena.schedule import Chunk
from mindup_agents.arena.settings import Settings
from mindup_agents.arena.worker import Done


def play_all(settings: Settings, chunks: Iterable[Chunk], num_workers: int) -> Iterator[Done]:
    """Plays the chunks and gives each when it is done, in any order."""
    crew = _Crew(settings, deque(Task(chunk) for chunk in chunks))
    try:
        crew.hire(num_workers)
        while crew.hand_out():
            yield from crew.hear()
    finally:
        crew.stop()


class _Crew:
    def __init__(self, settings: Settings, tasks: deque[Task]) -> None:
        self._settings, self._tasks = settings, tasks
        self._workers: list[WorkerProcess] = []

    def hire(self, num_workers: int) -> None:
        for _ in range(min(num_workers, len(self._tasks))):
            self._workers.append(WorkerProcess(self._settings))

    def hand_out(self) -> bool:
        """Gives tasks to those who have none; says whether anybody has one."""
        for place, worker in enumerate(self._workers):
            if worker.failure is not None:
                self._tasks.appendleft(worker.task_without_its_bot())
                worker.stop()
                self._workers[place] = WorkerProcess(self._settings)
        for worker in self._workers:
            if worker.task is None and self._tasks:
                worker.give(self._tasks.popleft())
        return any(worker.task is not None for worker in self._workers)

    def hear(self) -> Iterator[Done]:
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

    def stop(self) -> None:
        for worker in self._workers:
            worker.stop()
