"""Processes that a run starts, here or on a Ray cluster, and the progress bar of what they do."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any, TypeVar

from mindup_env.settings.extras import require

MAX_WORKERS = 1024  # more than machines have cores
LOCAL, AUTO = "local", "auto"
"""Addresses: start Ray on this machine for one command, or use the cluster that runs on it."""
_UNLIMITED = -1  # retries
_TIMEOUT = 10  # seconds, for a connection to a cluster

T = TypeVar("T")
Result = TypeVar("Result")

# Spawned, not forked: a fork can inherit a lock that a thread of some library holds.
spawning = get_context("spawn")


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


def end_with_parent() -> None:
    """Ends this process when its parent ends in any way, also in a call that does not return."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def with_progress(
    made: Iterable[T],
    total: int,
    unit: str,
    *,
    size: Callable[[T], int] = lambda _: 1,
    done: int = 0,
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
        task = bar.add_task("", total=total, completed=done)
        for each in made:
            yield each
            bar.advance(task, size(each))


def run_on_cluster(
    address: str,
    function: Callable[[T], Result],
    tasks: Sequence[T],
    cpus: Callable[[T], int] = lambda _: 1,
) -> Generator[tuple[T, Result]]:
    """Calls a function for each task on a Ray cluster, and yields what it returned, in any order.

    A task whose process or machine is lost is tried again on another; an error of the function is
    raised here. ``cpus`` are the cores that a task takes.
    """
    with connected(address, max(map(cpus, tasks), default=1)) as ray:
        call, kept = ray.remote(max_retries=_UNLIMITED)(_call), ray.put(function)
        started = {
            call.options(num_cpus=cpus(task)).remote(kept, task): place
            for place, task in enumerate(tasks)
        }
        while started:
            (ready,), _ = ray.wait(list(started))
            try:
                result = ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            yield tasks[started.pop(ready)], result


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
    require("a Ray cluster", "rllib", "ray")
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
