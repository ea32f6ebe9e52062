"""Runs an experiment: all runs that its folder lacks, in processes of their own, and the report."""

import os
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from mindup_env.runs.files import lock_folder, remove_leftovers
from mindup_env.runs.processes import (
    MAX_WORKERS,
    interrupts_blocked,
    run_on_cluster,
    spawning,
    with_progress,
)
from mindup_env.runs.run_folder import check_unused, has_run
from mindup_env.settings.checks import check_int
from mindup_training.experiment.folder import (
    KIND,
    ExperimentFolder,
    ExperimentRun,
    RunRecord,
    read_folder,
)
from mindup_training.experiment.plan import Experiment, ExperimentSettings
from mindup_training.experiment.report import ExperimentReport, make_report, players_folder
from mindup_training.experiment.report_files import REPORT, write_report

_LOG_LINES = 15  # of a failed run that are printed


def run_experiment(
    experiment: Experiment,
    folder: Path,
    *,
    command: str = "",
    workers: int = 1,
    address: str | None = None,
) -> ExperimentReport:
    """Trains all runs of an experiment and writes the report to its folder.

    The same experiment in the same folder continues after an interruption: runs that ended are
    kept, one that was interrupted resumes, and one that failed is tried again. It may have more
    seeds then. The runs are in processes of their own, which import the main module: a script calls
    this under ``if __name__ == "__main__":``.

    Args:
        experiment: the entries and settings.
        folder: the folder of the experiment.
        command: the command that repeats it, for the report.
        workers: number of runs at a time.
        address: run on all cores of this Ray cluster instead: ``"local"``, ``"auto"``,
            ``"HOST:PORT"`` or ``"ray://HOST:10001"``.

    Returns:
        The report; its ``unfinished`` are the runs that failed.

    Raises:
        ValueError: a setting is wrong, the folder has another experiment, or all runs failed.
    """
    check_int("workers", workers, 1, MAX_WORKERS)
    experiment.check()
    with ExperimentFolder.create_or_resume(folder, KIND, experiment, command=command) as kept:
        kept.command = command or kept.command
        kept.write()
        _run_missing(kept, workers, address)
        return _write_reports(folder, [kept])


def report_folders(folders: Sequence[Path], out: Path | None = None) -> ExperimentReport:
    """Makes the report of experiments again, without running anything.

    Args:
        folders: folders of one experiment, with different seeds.
        out: the folder to write to; that of the experiment if there is one.

    Raises:
        ValueError: a folder has no experiment, or they cannot be merged.
    """
    if not folders:
        raise ValueError("a folder is missing: mindup experiment report DIR...")
    if out is None and len(folders) > 1:
        raise ValueError("the report of several folders needs a folder of its own: add --out")
    kept = [read_folder(path) for path in folders]
    target = out or folders[0]
    if target not in folders and (has_run(target) or not (target / REPORT).exists()):
        check_unused(target)
    with lock_folder(target):
        return _write_reports(target, kept)


def _write_reports(target: Path, folders: Sequence[ExperimentFolder]) -> ExperimentReport:
    """Writes the report, and that of each number of players if there are several."""
    report = make_report(folders)
    write_report(target, report)
    if len(report.players) > 1:
        for players in report.players:
            write_report(target / players_folder(players), make_report(folders, players))
    return report


def _run_missing(folder: ExperimentFolder, workers: int, address: str | None) -> None:
    runs, settings = folder.runs(), folder.settings.settings
    missing = [run for run in runs if run.result() is None]
    logs = folder.path / "runs" / "*" / "*.log"
    print(f"experiment: {len(runs)} runs, {len(missing)} to do; logs: {logs}", flush=True)
    if not missing:
        return
    for run in runs:
        remove_leftovers(run.path.parent)
    if address is None:
        ending = run_in_processes(missing, settings, workers)
    else:
        # The folder must have the same path on all machines.
        there = partial(_run_there, settings, Path.cwd())
        ending = run_on_cluster(address, there, missing, lambda run: run.entry.threads)
    done = len(runs) - len(missing)
    with closing(ending), closing(with_progress(ending, len(runs), "runs", done=done)) as ended:
        for run, status in ended:
            _print_ended(run, status)


def run_in_processes(
    runs: Iterable[ExperimentRun], settings: ExperimentSettings, workers: int
) -> Generator[tuple[ExperimentRun, int]]:
    """Runs so many at a time, and yields each when it has ended, with its exit status.

    A status below 0 is the signal that killed the process.
    """
    waiting = deque(runs)
    running: list[tuple[BaseProcess, ExperimentRun]] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                run = waiting.popleft()
                process: BaseProcess = spawning.Process(target=_serve, args=(run, settings))
                with interrupts_blocked():
                    process.start()
                running.append((process, run))
            wait([process.sentinel for process, _ in running])
            ended = [each for each in running if each[0].exitcode is not None]
            running = [each for each in running if each not in ended]
            yield from ((run, process.exitcode or 0) for process, run in ended)
    finally:
        for process, _ in running:
            process.kill()  # a run resumes from its last checkpoint
            process.join()


def _run_there(settings: ExperimentSettings, folder: Path, run: ExperimentRun) -> int:
    """On another machine, in a child process as on this one: a run may end its process."""
    os.chdir(folder)
    ((_, status),) = run_in_processes([run], settings, workers=1)
    return status


def _serve(run: ExperimentRun, settings: ExperimentSettings) -> None:
    from mindup_training.experiment.run_process import serve_run  # noqa: PLC0415  # PyTorch is slow

    serve_run(run, settings)


def _print_ended(run: ExperimentRun, status: int) -> None:
    """A line for a run that ended; of one that failed, also the end of its log."""
    record = run.read_record()
    if record is not None and run.result():
        shares = ", ".join(f"{bot} {100 * share:.1f}" for bot, share in record.win_shares.items())
        print(f"{run}: final win share in % against {shares}", flush=True)
        return
    if record is None or not record.is_trained:
        run.write_record(RunRecord(status, run.command))
    how = f"was killed by signal {-status}" if status < 0 else f"failed with exit status {status}"
    text = run.log.read_text(encoding="utf-8", errors="replace") if run.log.exists() else ""
    print(f"{run}: {how}; the end of {run.log}:", flush=True)
    print("\n".join(f"  {line}" for line in text.splitlines()[-_LOG_LINES:]), flush=True)
