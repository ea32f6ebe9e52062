"""Ray clusters: how a command connects to one."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from mindup_env.settings.extras import require

LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray on this machine for one command, or use the cluster that runs on it."""
_TIMEOUT = 10  # seconds
UNLIMITED = -1
"""Retries of a task whose process or machine is lost."""


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
