"""Starts runs in processes of their own, on this machine or on a Ray cluster."""

import os
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from mindup_arena.ray_cluster import connected
from mindup_arena.worker_process import interrupts_blocked
from mindup_training.experiment.folder import ExperimentRun
from mindup_training.experiment.run_process import serve_run
from mindup_training.experiment.settings import ExperimentSettings

# Spawned, not forked: a fork can inherit a lock that a thread of some library holds.
_context = get_context("spawn")
_UNLIMITED = -1


class EndedRun(NamedTuple):
    """A run whose process has ended.

    Attributes:
        run: the run.
        status: the exit status of the process; below 0, the signal that killed it.
    """

    run: ExperimentRun
    status: int


def run_in_processes(
    runs: Iterable[ExperimentRun], settings: ExperimentSettings, workers: int
) -> Generator[EndedRun]:
    """Runs so many at a time, and yields each when it has ended."""
    waiting = deque(runs)
    running: list[tuple[BaseProcess, ExperimentRun]] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                run = waiting.popleft()
                process: BaseProcess = _context.Process(target=serve_run, args=(run, settings))
                with interrupts_blocked():
                    process.start()
                running.append((process, run))
            wait([process.sentinel for process, _ in running])
            ended = [each for each in running if each[0].exitcode is not None]
            running = [each for each in running if each not in ended]
            yield from (EndedRun(run, process.exitcode or 0) for process, run in ended)
    finally:
        for process, _ in running:
            process.kill()  # a run resumes from its last checkpoint
            process.join()


def run_on_cluster(
    runs: Sequence[ExperimentRun], settings: ExperimentSettings, address: str
) -> Generator[EndedRun]:
    """Runs as many at a time as a Ray cluster has cores, and yields each when it has ended.

    The folder of the experiment must have the same path on all machines. A run whose machine is
    lost is resumed on another.
    """
    with connected(address, max(run.entry.threads for run in runs)) as ray:
        task = ray.remote(max_retries=_UNLIMITED)(_run_there)
        started = {
            task.options(num_cpus=run.entry.threads).remote(run, settings, Path.cwd()): run
            for run in runs
        }
        while started:
            (ready,), _ = ray.wait(list(started))
            yield EndedRun(started.pop(ready), ray.get(ready))


def _run_there(run: ExperimentRun, settings: ExperimentSettings, folder: Path) -> int:
    """In a child process, as on one machine: the command of a run may end its process."""
    os.chdir(folder)
    (ended,) = run_in_processes([run], settings, workers=1)
    return ended.status
