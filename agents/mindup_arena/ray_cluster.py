"""Ray: a cluster to play on, or processes of this machine that stand for one."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray in this machine for the time of one command, or use what runs there."""
_PATIENCE = 10  # seconds


@contextmanager
def connected(address: str = LOCAL, least_cpus: int = 1) -> Iterator[Any]:
    """Ray, as long as it is needed; in this machine with all its cores, or ``least_cpus``."""
    if find_spec("ray") is None:
        raise ValueError("a cluster needs ray: pip install 'mindup-env[rllib]'")
    _check_reachable(address)
    # Nothing is told to anybody unless the user says so.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray: Any = import_module("ray")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        cpus = max(least_cpus, os.cpu_count() or 1)
        options |= {"num_cpus": cpus, "include_dashboard": False}
    try:
        ray.init(address=address, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ValueError(f"there is no Ray cluster at {address!r}: {error}") from None
    _tell_if_too_small(ray, least_cpus)
    try:
        yield ray
    finally:
        ray.shutdown()


def _tell_if_too_small(ray: Any, least_cpus: int) -> None:
    """Ray waits in silence; that can be right, for a cluster that grows when it is asked to."""
    cpus = ray.cluster_resources().get("CPU", 0)
    if cpus < least_cpus:
        said = f"the Ray cluster has {cpus:g} cores, and {least_cpus} are asked for: it waits"
        print(f"mindup: {said} until there are more", file=sys.stderr)


def _check_reachable(address: str) -> None:
    """Ray itself would try for many minutes."""
    if address in (LOCAL, AUTO):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        raise ValueError(
            f"{address!r} is no address of a Ray cluster: it is {LOCAL}, {AUTO}, HOST:PORT or "
            "ray://HOST:10001"
        )
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ValueError(f"there is no Ray cluster at {address!r}: {error}") from None
