"""The processes that play chunks, here or on a Ray cluster."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache, partial
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread

from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_env.agent import StopRunError
from mindup_env.runs.processes import environment, interrupts_blocked, run_on_cluster

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
        with environment(ONE_THREAD), interrupts_blocked():
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


def _end_with_parent(connection: Connection) -> None:
    """Ends this process when the other end of the connection is closed, as it is by any end."""
    Thread(target=_end_after, args=(connection,), daemon=True).start()


def _end_after(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    os._exit(1)


def play_on_cluster(
    chunks: Sequence[Chunk], settings: ArenaSettings, address: str
) -> Iterator[PlayedChunk]:
    """The same on a Ray cluster."""
    yield from run_on_cluster(
        address, partial(_play_there, version("mindup-env"), settings), chunks
    )


def _play_there(begun: str, settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    if begun != version("mindup-env"):
        raise ValueError(
            f"the cluster has mindup-env {version('mindup-env')}, not {begun} as this machine: "
            "results may differ between versions"
        )
    return play_chunk(settings, chunk)


def play_chunk(settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    """Plays a chunk with the bots of this process."""
    try:
        return _player(settings).play(chunk)
    except StopRunError as error:
        raise StopRunError(str(error)) from None  # a class of its own may not arrive


@lru_cache(maxsize=1)
def _player(settings: ArenaSettings) -> ChunkPlayer:
    """Kept: a process plays many chunks, and what its bots have loaded stays."""
    return ChunkPlayer(settings)
