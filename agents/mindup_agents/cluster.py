"""Ray: a cluster to play on, or processes of this machine that stand for one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

LOCAL = "local"
"""The address that starts Ray in this machine, for the time of one command."""


@contextmanager
def connected(address: str = LOCAL, least_cpus: int = 1) -> Iterator[Any]:
    """Ray, for the time of the connection. In this machine it takes all cores, or ``least_cpus``."""
    if find_spec("ray") is None:
        raise ValueError("a cluster needs ray: pip install 'mindup-env[rllib]'")
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
    try:
        yield ray
    finally:
        ray.shutdown()
