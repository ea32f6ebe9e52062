"""Playing the chunks of an arena on a Ray cluster."""

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from mindup_arena.chunk import PlayedChunk
from mindup_arena.schedule import Chunk
from mindup_arena.settings import ArenaSettings
from mindup_arena.workers import play_chunk

LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray on this machine for one command, or use the cluster that runs on it."""
_TIMEOUT = 10  # seconds, for a connection to a cluster


def play_on_cluster(
    chunks: Sequence[Chunk], settings: ArenaSettings, address: str
) -> Iterator[PlayedChunk]:
    """Plays the chunks on all cores of a cluster, and yields each when it is played, in any order.

    A chunk whose process or machine is lost is played again on another.
    """
    with _connected(address) as ray:
        play = ray.remote(num_cpus=1)(_play_there)
        playing = [play.remote(version("mindup-env"), settings, chunk) for chunk in chunks]
        while playing:
            (ready,), playing = ray.wait(playing)
            try:
                yield ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except ray.exceptions.WorkerCrashedError:
                raise ChildProcessError(
                    "a process of the cluster died each time it played a chunk"
                ) from None


def _play_there(begun: str, settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    if begun != version("mindup-env"):
        raise ValueError(
            f"the cluster has mindup-env {version('mindup-env')}, not {begun} as this machine: "
            "results may differ between versions"
        )
    return play_chunk(settings, chunk)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """The module ``ray``, connected until the context ends."""
    if find_spec("ray") is None:
        raise ValueError("a Ray cluster needs ray: pip install ray")
    if address not in (LOCAL, AUTO):
        _check_reachable(address)
    # No usage statistics leave the machine unless the user says so.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray: Any = import_module("ray")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        options["include_dashboard"] = False
    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Ray itself would try for many minutes."""
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
