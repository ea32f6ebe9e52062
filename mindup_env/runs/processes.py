"""Processes that a run starts, here or on a Ray cluster, and the progress bar of what they do."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import Any, TypeVar

MAX_WORKERS = 1024  # more than machines have cores
LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray on this machine for one command, or use the cluster that runs on it."""
_TIMEOUT = 10  # seconds, for a connection to a cluster

T = TypeVar("T")
Result = TypeVar("Result")


@contextmanager
def interrupts_blocked() -> Iterator[None]:
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
def environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Sets variables of the environment, which a process started in here inherits."""
    before = {name: os.environ[name] for name in changes if name in os.environ}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name in changes:
            del os.environ[name]
        os.environ.update(before)


def with_progress(
    made: Iterable[T],
    total: int,
    unit: str,
    *,
    size: Callable[[T], int],
    shown: bool = True,
) -> Generator[T]:
    """Yields what a run makes; if stderr is a terminal, a bar counts it, with the time left."""
    from rich.console import Console  # noqa: PLC0415  # an extra
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(f"{{task.completed}} of {{task.total}} {unit}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, force_jupyter=False)
    with Progress(*columns, console=console, disable=not (shown and sys.stderr.isatty())) as bar:
        task = bar.add_task("", total=total)
        for each in made:
            yield each
            bar.advance(task, size(each))


def run_on_cluster(
    address: str, function: Callable[[T], Result], tasks: Sequence[T]
) -> Generator[Result]:
    """Calls a function for each task on a Ray cluster, and yields what it returned, in any order.

    A task whose process or machine is lost is tried again on another; an error of the function is
    raised here.
    """
    with connected(address) as ray:
        call, kept = ray.remote(num_cpus=1)(_call), ray.put(function)
        started = [call.remote(kept, task) for task in tasks]
        while started:
            (ready,), started = ray.wait(started)
            try:
                yield ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except ray.exceptions.WorkerCrashedError:
                raise ChildProcessError("a process of the cluster died again and again") from None


def _call(function: Callable[[T], Result], task: T) -> Result:
    return function(task)


@contextmanager
def connected(address: str = LOCAL, least_cpus: int = 1) -> Iterator[Any]:
    """The module ``ray``, connected until the context ends.

    Args:
        address: ``LOCAL``, ``AUTO``, ``HOST:PORT`` or ``ray://HOST:PORT``.
        least_cpus: Cores that are needed. ``LOCAL`` counts at least as many; a smaller cluster
            gets a warning, since it may grow.
    """
    if find_spec("ray") is None:
        raise ValueError("a Ray cluster needs ray: pip install ray")
    if address not in (LOCAL, AUTO):
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
    cpus = ray.cluster_resources().get("CPU", 0)
    if cpus < least_cpus:  # Ray itself waits without a message
        print(
            f"mindup: the Ray cluster has {cpus:g} cores and {least_cpus} are needed: waiting "
            "until there are more",
            file=sys.stderr,
        )
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
