"""The chunks of an arena, played on a Ray cluster."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from mindup_arena.ray_cluster import connected
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker import Done
from mindup_arena.worker_pool import WorkerPool

_FOR_EVER = -1


def play_all_on_cluster(
    settings: ArenaSettings, chunks: Sequence[Chunk], address: str
) -> Iterator[Done]:
    """Plays the chunks and gives each when it is done, in any order.

    A chunk is a task of Ray's, which plays it again wherever there is room if its process or its
    machine is lost; the first result that arrives is the only one taken.
    """
    with connected(address) as ray:
        play = ray.remote(num_cpus=1, max_retries=_FOR_EVER)(play_chunk_here)
        plain = ray.put(settings.to_dict())
        waiting = [play.remote(plain, chunk) for chunk in chunks]
        while waiting:
            done, waiting = ray.wait(waiting)
            try:
                yield from ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None


def play_chunk_here(plain: dict[str, Any], chunk: Chunk) -> Done:
    """Plays in a process beside this one, as in an arena on one machine: bots may bring it down."""
    # The settings say which release plays by them, and another is refused.
    (done,) = _pool_of(ArenaSettings.from_dict(plain)).play([chunk])
    return done


@lru_cache(maxsize=1)
def _pool_of(settings: ArenaSettings) -> WorkerPool:
    """Ray gives one process many chunks: what its bots have loaded stays for the next."""
    return WorkerPool(settings, 1).__enter__()
