"""Processes that a run starts: spawned, deaf to Ctrl-C, and not outliving their parent."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread

MAX_WORKERS = 1024  # more than machines have cores

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


def end_with_parent() -> None:
    """Ends this process when its parent ends in any way, also in a call that does not return."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
