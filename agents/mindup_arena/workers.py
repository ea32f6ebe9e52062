"""One function for many tasks, in processes of their own or on a Ray cluster."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from mindup_env.checks import InputError, shown

Result = TypeVar("Result")

_LIBRARIES = "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "VECLIB_MAXIMUM"
_ENVIRONMENT = {f"{library}_THREADS": "1" for library in _LIBRARIES}
"""Otherwise workers compete for cores, and sums in many threads can differ in the last bit.
Libraries read this when they are loaded."""
# If the parent is killed, what it had of the system is freed without a word.
_ENVIRONMENT["PYTHONWARNINGS"] = "ignore::UserWarning:multiprocessing.resource_tracker"


def parallel_map(
    function: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    workers: int,
    address: str | None = None,
) -> Generator[Result]:
    """Calls a function for each task, and yields the results in the order in which they come.

    The workers end with the generator. A process that dies raises ChildProcessError.

    Args:
        function: What is called; Ray takes no other callable object.
        tasks: The arguments of each call.
        workers: Number of processes, each with one thread for linear algebra.
        address: Work on all cores of this Ray cluster instead, where a task whose process is lost
            begins again on another, three times at most.
    """
    if address is not None and tasks:
        yield from _map_on_cluster(function, tasks, address)
        return
    # Spawned, not forked: a fork can inherit a lock that a thread of some library holds.
    spawning = get_context("spawn")
    theirs, ours = spawning.Pipe(duplex=False)
    with _as_workers_begin():
        pool = ProcessPoolExecutor(workers, spawning, _end_with_parent, (theirs,))
        working = [pool.submit(function, *task) for task in tasks]
    try:
        for done in as_completed(working):
            yield done.result()
        pool.shutdown()
    except BrokenProcessPool:
        raise ChildProcessError("a process died") from None
    finally:
        ours.close()  # ends the processes, also in a call that does not return
        pool.shutdown(cancel_futures=True)


def _map_on_cluster(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], address: str
) -> Generator[Result]:
    ray = _connect(address)
    try:
        remote = ray.remote(num_cpus=1)(function)
        working = [remote.remote(*task) for task in tasks]
        while working:
            (done,), working = ray.wait(working)
            yield ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.WorkerCrashedError:
        raise ChildProcessError("a process of the cluster died") from None
    finally:
        ray.shutdown()


@contextmanager
def _as_workers_begin() -> Iterator[None]:
    """Processes that start in here have one thread, and ignore the Ctrl-C of a terminal."""
    environment = dict(os.environ)
    is_main = threading.current_thread() is threading.main_thread()  # signals belong to it
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    os.environ.update(_ENVIRONMENT)
    try:
        yield
    finally:
        for name in _ENVIRONMENT:
            del os.environ[name]
        os.environ.update(environment)
        if is_main:
            signal.signal(signal.SIGINT, handler)


def _end_with_parent(connection: Connection) -> None:
    """Ends this process when the parent does, also in a call that does not return.

    The system closes the parent's end of the connection by any end.
    """

    def wait() -> None:
        with suppress(EOFError, OSError):
            connection.recv_bytes()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _connect(address: str) -> Any:
    """The module ``ray``, connected to a cluster."""
    if find_spec("ray") is None:
        raise InputError("a Ray cluster needs ray: pip install ray")
    # No usage statistics leave the machine unless the user says so.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray: Any = import_module("ray")
    options = {"include_dashboard": False} if address == "local" else {}
    try:
        if address not in ("local", "auto"):  # Ray itself would try for many minutes
            host, _, port = address.removeprefix("ray://").rpartition(":")
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address=address, log_to_driver=False, logging_level="error", **options)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        accepted = "local, auto, HOST:PORT or ray://HOST:10001"
        said = f"no Ray cluster at {shown(address)} ({error}); accepted: {accepted}"
        raise InputError(said) from None
    return ray
