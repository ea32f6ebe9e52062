"""The processes that play chunks; one that dies, or in which a bot hangs, is replaced.

A process reports each call of a bot before it begins.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from mindup_arena.bot import CallMonitor
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.schedule import Chunk
from mindup_arena.settings import MatchSettings
from mindup_env.agent import StopRunError
from mindup_env.runs.processes import end_with_parent, interrupts_blocked, spawning

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
"""Otherwise workers compete for cores, and sums in many threads can differ in the last bit."""

DIED = "its process died"

MakePlayer = Callable[[CallMonitor], ChunkPlayer]
"""Makes the player of a process, and is sent to it by pickle."""


class Call(NamedTuple):
    """A bot is called for a decision."""

    bot: int
    decision: int
    games: range


class CallReporter:
    """Sends a message before each call of a bot, and None after it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def call_begins(self, bot: int, decision: int, games: range) -> None:
        self._connection.send(Call(bot, decision, games))

    def call_ends(self) -> None:
        self._connection.send(None)


def serve(connection: Connection, make_player: MakePlayer) -> None:
    """Plays, in the new process, the tasks that arrive until the connection is closed."""
    end_with_parent()
    player = make_player(CallReporter(connection))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            connection.send(_play(player, connection.recv()))


def _play(player: ChunkPlayer, task: ChunkTask) -> PlayedChunk | OSError | StopRunError:
    """An error of the system, such as a full disk for the records, is one of the parent."""
    try:
        return player.play(task)
    except OSError as error:
        return error
    except StopRunError as error:
        return StopRunError(str(error))  # one of a class of its own may not arrive


class WorkerProcess:
    """The process as its parent sees it: its task, and the call of a bot that it is in."""

    def __init__(self, make_player: MakePlayer, time_limit: float | None) -> None:
        self._time_limit = math.inf if time_limit is None else time_limit
        self.connection, theirs = spawning.Pipe()
        self._process = spawning.Process(target=serve, args=(theirs, make_player), daemon=True)
        with _one_thread(), interrupts_blocked():
            self._process.start()
        theirs.close()  # otherwise the end of the process does not close our end
        self.task: ChunkTask | None = None
        self.failure: str | None = None
        self._call: Call | None = None
        self._since = 0.0

    def send(self, task: ChunkTask) -> None:
        self.task = task
        # That the process is dead shows in receive().
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(task)

    def receive(self) -> PlayedChunk | None:
        """Takes one message; returns it if a chunk is played."""
        try:
            message = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.failure = DIED
            return None
        if isinstance(message, OSError | StopRunError):
            raise message
        if isinstance(message, PlayedChunk):
            self.task = None
            return message
        self._call, self._since = message, time.monotonic()
        return None

    def seconds_left(self, now: float) -> float:
        return math.inf if self._call is None else self._since + self._time_limit - now

    def check_time(self, now: float) -> None:
        """Fails a call that takes too long, unless the message of its end is already there."""
        if self.failure is None and self.seconds_left(now) <= 0 and not self.connection.poll():
            self.failure = f"a call took longer than {self._time_limit:g} s"

    def task_again(self) -> ChunkTask:
        """The task to play again after a failure.

        A process that dies may have been killed from outside, by a person or for its memory. If
        it dies a second time, the bot that was called has failed, like one that takes too long.
        """
        if self.task is None or self.failure is None:
            raise RuntimeError("the worker process did not fail in a task")
        if self.failure == DIED and not self.task.died:
            return self.task._replace(died=True)
        if self._call is None:
            raise RuntimeError("the worker process died, and not in the call of a bot")
        bot, decision, games = self._call
        failure = Forfeit(bot, decision, self.failure, tuple(games))
        return self.task._replace(failures=(*self.task.failures, failure))

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Libraries read their number of threads from the environment when they are loaded."""
    before = dict(os.environ)
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name in ONE_THREAD:
            del os.environ[name]
            if name in before:
                os.environ[name] = before[name]


def play_in_processes(
    settings: MatchSettings,
    chunks: Sequence[Chunk],
    num_workers: int,
    make_player: MakePlayer | None = None,
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order.

    ``make_player`` makes the player in each process: a ``ChunkPlayer`` if it is None.
    """
    with closing(WorkerPool(settings, min(num_workers, len(chunks)), make_player)) as pool:
        yield from pool.play(chunks)


class WorkerPool:
    """Processes that run until the pool is closed."""

    def __init__(
        self, settings: MatchSettings, num_workers: int, make_player: MakePlayer | None = None
    ) -> None:
        make_player = make_player or partial(ChunkPlayer, settings)
        self._start = partial(WorkerProcess, make_player, settings.call_limit)
        self._workers = [self._start() for _ in range(num_workers)]
        self._tasks: deque[ChunkTask] = deque()

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()

    def play(self, chunks: Iterable[Chunk]) -> Iterator[PlayedChunk]:
        self._tasks.extend(ChunkTask(chunk) for chunk in chunks)
        while self._send_tasks():
            yield from self._receive()

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
