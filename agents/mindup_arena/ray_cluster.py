"""Ray clusters: how a command connects to one, and the chunks of an arena played on it."""

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker_pool import WorkerPool
from mindup_env.settings.extras import require

LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray on this machine for one command, or use the cluster that runs on it."""
_TIMEOUT = 10  # seconds
_UNLIMITED = -1


@contextmanager
def connected(address: str = LOCAL, least_cpus: int = 1) -> Iterator[Any]:
    """The module ``ray``, connected until the context ends.

    Args:
        address: ``LOCAL``, ``AUTO``, ``HOST:PORT`` or ``ray://HOST:PORT``.
        least_cpus: Cores that are needed. ``LOCAL`` counts at least as many; a smaller cluster
            gets a warning, since it may grow.
    """
    require("a Ray cluster", "rllib", "ray")
    _check_reachable(address)
    # No usage statistics leave the machine unless the user says so.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray: Any = import_module("ray")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        cpus = max(least_cpus, os.cpu_count() or 1)
        options |= {"num_cpus": cpus, "include_dashboard": False}
    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
    _warn_if_too_small(ray, least_cpus)
    try:
        yield ray
    finally:
        ray.shutdown()


def play_on_cluster(
    settings: ArenaSettings, chunks: Sequence[Chunk], address: str, bots_folder: Path
) -> Iterator[PlayedChunk]:
    """Plays the chunks and yields each when it is played, in any order.

    Files that bots keep are in ``bots_folder`` of the machine where they play.

    A chunk is a Ray task, which is retried elsewhere if its process or machine is lost; only the
    first result that arrives is used.
    """
    with connected(address) as ray:
        play = ray.remote(num_cpus=1, max_retries=_UNLIMITED)(_play_chunk)
        kept = ray.put((type(settings), settings.to_dict()))
        waiting = [play.remote(kept, chunk, bots_folder) for chunk in chunks]
        while waiting:
            ready, waiting = ray.wait(waiting)
            try:
                yield from ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None


def _play_chunk(
    kept: tuple[type[ArenaSettings], dict[str, Any]], chunk: Chunk, bots_folder: Path
) -> PlayedChunk:
    """Plays in a child process, as an arena on one machine does: a bot may end its process."""
    settings_class, plain = kept
    # from_dict() refuses a cluster that has another version of the package.
    (played,) = _pool_of(settings_class.from_dict(plain), bots_folder).play([chunk])
    return played


@lru_cache(maxsize=1)
def _pool_of(settings: ArenaSettings, bots_folder: Path) -> WorkerPool:
    """Kept open: Ray gives one process many chunks, and what its bots have loaded stays."""
    make_player = partial(ChunkPlayer, settings, bots_folder=bots_folder)
    return WorkerPool(settings, 1, make_player).__enter__()


def _warn_if_too_small(ray: Any, least_cpus: int) -> None:
    """Ray itself waits without a message."""
    cpus = ray.cluster_resources().get("CPU", 0)
    if cpus < least_cpus:
        print(
            f"mindup: the Ray cluster has {cpus:g} cores and {least_cpus} are needed: waiting "
            "until there are more",
            file=sys.stderr,
        )


def _check_reachable(address: str) -> None:
    """Ray itself would try for many minutes."""
    if address in (LOCAL, AUTO):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        raise ValueError(
            f"{address!r} is not the address of a Ray cluster; accepted: {LOCAL}, {AUTO}, "
            "HOST:PORT or ray://HOST:10001"
        )
    try:
        socket.create_connection((host, int(port)), _TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
