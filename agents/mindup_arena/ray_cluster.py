"""The chunks of an arena, played on a Ray cluster."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path

from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import MatchSettings
from mindup_arena.workers import WorkerPool
from mindup_env.runs.processes import UNLIMITED, connected


def play_on_cluster(
    settings: MatchSettings, chunks: Sequence[Chunk], address: str, bots_folder: Path
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order.

    Files that bots keep are in ``bots_folder`` of the machine where they play.

    A chunk is a Ray task, which is retried elsewhere if its process or machine is lost; only the
    first result that arrives is used.
    """
    with connected(address) as ray:
        play = ray.remote(num_cpus=1, max_retries=UNLIMITED)(_play_chunk)
        kept = ray.put((version("mindup-env"), settings))
        waiting = [play.remote(kept, chunk, bots_folder) for chunk in chunks]
        while waiting:
            ready, waiting = ray.wait(waiting)
            try:
                yield from ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None


def _play_chunk(kept: tuple[str, MatchSettings], chunk: Chunk, bots_folder: Path) -> PlayedChunk:
    """Plays in a child process, as an arena on one machine does: a bot may end its process."""
    begun, settings = kept
    if begun != version("mindup-env"):
        raise ValueError(
            f"the cluster has mindup-env {version('mindup-env')}, not {begun} as this machine: "
            "results may differ between versions"
        )
    (played,) = _pool_of(settings, bots_folder).play([chunk])
    return played


@lru_cache(maxsize=1)
def _pool_of(settings: MatchSettings, bots_folder: Path) -> WorkerPool:
    """Kept open: Ray gives one process many chunks, and what its bots have loaded stays."""
    make_player = partial(ChunkPlayer, settings, bots_folder=bots_folder)
    return WorkerPool(settings, 1, make_player)
