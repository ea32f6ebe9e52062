"""The processes that play chunks."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from threading import Thread

from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings

_LIBRARIES = "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "VECLIB_MAXIMUM"
ONE_THREAD = {f"{library}_THREADS": "1" for library in _LIBRARIES}
"""Otherwise workers compete for cores, and sums in many threads can differ in the last bit.
Libraries read their number of threads from the environment when they are loaded."""


def play_in_processes(
    chunks: Sequence[Chunk], settings: ArenaSettings, num_workers: int
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order."""
    # Spawned, not forked: a fork can inherit a lock that a thread of some library holds.
    spawning = get_context("spawn")
    theirs, ours = spawning.Pipe(duplex=False)
    workers = ProcessPoolExecutor(num_workers, spawning, _end_with_parent, (theirs,))
    try:
        with _environment(ONE_THREAD), _interrupts_blocked():
            playing = [workers.submit(play_chunk, settings, chunk) for chunk in chunks]
        for played in as_completed(playing):
            yield played.result()
        workers.shutdown()
    except BrokenProcessPool:
        raise ChildProcessError(
            "a process died while it played: a bot ended it, or the system did for lack of memory"
        ) from None
    finally:
        ours.close()  # ends the processes, also in a call that does not return
        workers.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal; a process started in here ignores it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process also starts a resource tracker, which would unblock interrupts again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Sets variables of the environment, which a process started in here inherits."""
    before = {name: os.environ[name] for name in changes if name in os.environ}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name in changes:
            del os.environ[name]
        os.environ.update(before)


def _end_with_parent(connection: Connection) -> None:
    """Ends this process when the other end of the connection is closed, as it is by any end."""
    Thread(target=_end_after, args=(connection,), daemon=True).start()


def _end_after(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    os._exit(1)


def play_chunk(settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    """Plays a chunk with the bots of this process."""
    return _player(settings).play(chunk)


@lru_cache(maxsize=1)
def _player(settings: ArenaSettings) -> ChunkPlayer:
    """Kept: a process plays many chunks, and what its bots have loaded stays."""
    return ChunkPlayer(settings)
