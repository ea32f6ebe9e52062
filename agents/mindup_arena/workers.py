"""The processes that play chunks, here or on a Ray cluster.

A process reports each call of a bot before it begins. One that dies, or in which a bot hangs, is
replaced.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from importlib.metadata import version
from multiprocessing.connection import Connection, wait
from pathlib import Path

from mindup_arena.bot import Call, ReportCall
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_env.agent import StopRunError
from mindup_env.runs.processes import (
    end_with_parent,
    environment,
    interrupts_blocked,
    run_on_cluster,
    spawning,
)

_LIBRARIES = "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "VECLIB_MAXIMUM"
ONE_THREAD = {f"{library}_THREADS": "1" for library in _LIBRARIES}
"""Otherwise workers compete for cores, and sums in many threads can differ in the last bit.
Libraries read their number of threads from the environment when they are loaded."""

DIED = "its process died"

MakePlayer = Callable[[ReportCall], ChunkPlayer]
"""Makes the player of a process, and is sent to it by pickle."""


def play_in_processes(
    chunks: Sequence[Chunk],
    make_player: MakePlayer,
    num_workers: int,
    time_limit: float | None = None,
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order."""
    with closing(WorkerPool(make_player, min(num_workers, len(chunks)), time_limit)) as pool:
        yield from pool.play(chunks)


def play_on_cluster(
    chunks: Sequence[Chunk], settings: ArenaSettings, bots_folder: Path, address: str
) -> Iterator[PlayedChunk]:
    """The same on a Ray cluster.

    Files that bots keep are in ``bots_folder`` of the machine where they play.
    """
    play = partial(_play_there, version("mindup-env"), settings, bots_folder)
    for _, played in run_on_cluster(address, play, chunks):
        yield played


def _play_there(
    begun: str, settings: ArenaSettings, bots_folder: Path, chunk: Chunk
) -> PlayedChunk:
    """Plays in a child process, as an arena on one machine does: a bot may end its process."""
    if begun != version("mindup-env"):
        raise ValueError(
            f"the cluster has mindup-env {version('mindup-env')}, not {begun} as this machine: "
            "results may differ between versions"
        )
    (played,) = _pool_of(settings, bots_folder).play([chunk])
    return played


@lru_cache(maxsize=1)
def _pool_of(settings: ArenaSettings, bots_folder: Path) -> "WorkerPool":
    """Kept open: Ray gives one process many chunks, and what its bots have loaded stays."""
    make_player = partial(ChunkPlayer, settings, bots_folder=bots_folder)
    return WorkerPool(make_player, 1, settings.time_limit)


def serve(connection: Connection, make_player: MakePlayer) -> None:
    """Plays, in the new process, the tasks that arrive until the connection is closed.

    An error that is not one of a bot, such as a full disk for the records, goes to the parent.
    """
    end_with_parent()
    player = make_player(connection.send)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            task = connection.recv()
            try:
                connection.send(player.play(task))
            except StopRunError as error:
                connection.send(StopRunError(str(error)))  # a class of its own may not arrive
            except (OSError, ValueError) as error:
                connection.send(error)


class Worker:
    """A process as its parent sees it: its task, and the call of a bot that it is in."""

    def __init__(self, make_player: MakePlayer, time_limit: float) -> None:
        self._make_player, self._time_limit = make_player, time_limit
        self._start()

    def _start(self) -> None:
        self.connection, theirs = spawning.Pipe()
        arguments = theirs, self._make_player
        self._process = spawning.Process(target=serve, args=arguments, daemon=True)
        with environment(ONE_THREAD), interrupts_blocked():
            self._process.start()
        theirs.close()  # otherwise the end of the process does not close our end
        self.task: ChunkTask | None = None
        self._call: Call | None = None
        self.deadline = math.inf  # of the call

    def send(self, task: ChunkTask) -> None:
        self.task = task
        # That the process is dead shows in receive().
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(task)

    def receive(self) -> PlayedChunk | ChunkTask | None:
        """Takes one message; returns a chunk if it is played, or the task of a dead process."""
        try:
            message = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return self.restart(DIED)
        if message is None or isinstance(message, Call):
            self._call = message
            self.deadline = time.monotonic() + self._time_limit if message else math.inf
            return None
        self.task = None
        if isinstance(message, Exception):
            raise message
        played: PlayedChunk = message
        return played

    def check_time(self) -> ChunkTask | None:
        """Ends a call that takes too long, unless the message of its end is already there."""
        if time.monotonic() < self.deadline or self.connection.poll():
            return None
        return self.restart(f"a call took longer than {self._time_limit:g} s")

    def restart(self, failure: str) -> ChunkTask:
        """Replaces the process, and returns the task to play again.

        A process that dies may have been killed from outside, by a person or for its memory. If
        it dies a second time, the bot that was called has failed, like one that takes too long.
        """
        task, call = self.task, self._call
        self.stop()
        self._start()
        if task is None:
            raise RuntimeError("the worker process did not fail in a task")
        if failure == DIED and not task.died:
            return task._replace(died=True)
        if call is None:
            raise RuntimeError("the worker process died, and not in the call of a bot")
        bot, decision, games = call
        return task._replace(
            failures=(*task.failures, Forfeit(bot, decision, failure, tuple(games)))
        )

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


class WorkerPool:
    """Processes that run until the pool is closed."""

    def __init__(
        self, make_player: MakePlayer, num_workers: int, time_limit: float | None = None
    ) -> None:
        limit = math.inf if time_limit is None else time_limit
        self._workers = [Worker(make_player, limit) for _ in range(num_workers)]

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()

    def play(self, chunks: Iterable[Chunk]) -> Iterator[PlayedChunk]:
        tasks = deque(map(ChunkTask, chunks))
        while True:
            for worker in self._workers:
                if worker.task is None and tasks:
                    worker.send(tasks.popleft())
            busy = {each.connection: each for each in self._workers if each.task is not None}
            if not busy:
                return
            patience = min(each.deadline for each in busy.values()) - time.monotonic()
            ready = wait([*busy], None if patience == math.inf else max(patience, 0))
            for connection, worker in busy.items():
                found = worker.receive() if connection in ready else worker.check_time()
                if isinstance(found, PlayedChunk):
                    yield found
                elif found is not None:
                    tasks.appendleft(found)
