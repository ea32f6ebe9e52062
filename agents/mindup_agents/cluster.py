"""Ray: a cluster to play on, or processes of this machine that stand for one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

LOCAL = "local"
"""The address that starts Ray in this machine, for the time of one command."""

_NAMES = (LOCAL, "auto")


@contextmanager
def connected(address: str = LOCAL, least_cpus: int = 1) -> Iterator[Any]:
    """Ray, as long as it is needed; in this machine with all its cores, or ``least_cpus``."""
    if find_spec("ray") is None:
        raise ValueError("a cluster needs ray: pip install 'mindup-env[rllib]'")
    if address not in _NAMES and ":" not in address:
        raise ValueError(
            f"{address!r} is no address of a Ray cluster: it is {', '.join(_NAMES)}, HOST:PORT or "
            "ray://HOST:10001"
        )
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
