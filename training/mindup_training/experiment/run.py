"""Runs an experiment: all runs that its folder lacks, then the report."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from mindup_arena.run import MAX_WORKERS, check_writable, progress_bar
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.checks import check_int
from mindup_training.experiment.execution import EndedRun, run_in_processes, run_on_cluster
from mindup_training.experiment.folder import ExperimentFolder, open_folder
from mindup_training.experiment.plan import Experiment
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
    kept, one that was interrupted resumes, and one that failed is tried again. The runs are in
    processes of their own, which import the main module: a script calls this under
    ``if __name__ == "__main__":``.

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
    with open_folder(folder, experiment, command) as kept:
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
        raise ValueError("a folder is missing: mindup experiment report FOLDER...")
    if out is None and len(folders) > 1:
        raise ValueError("the report of several folders needs a folder of its own: add --out")
    kept = [ExperimentFolder.read(path) for path in folders]
    target = out or folders[0]
    if target not in folders:
        _check_of_report(target)
    check_writable(target, target)
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


def _check_of_report(path: Path) -> None:
    """Refuses a folder with other files than those of a report."""
    is_report = (path / REPORT).exists() and not ExperimentFolder.is_in(path)
    if not is_report:
        check_unused(path)


def _run_missing(folder: ExperimentFolder, workers: int, address: str | None) -> None:
    runs = folder.runs()
    records = [run.read_record() for run in runs]
    missing = [
        run
        for run, record in zip(runs, records, strict=True)
        if record is None or not record.is_done
    ]
    logs = folder.path / "runs" / "*" / "*.log"
    print(f"experiment: {len(runs)} runs, {len(missing)} to do; logs: {logs}", flush=True)
    if not missing:
        return
    settings = folder.experiment.settings
    if address is None:
        ending = run_in_processes(missing, settings, workers)
    else:
        ending = run_on_cluster(missing, settings, address)
    with closing(ending), progress_bar(shown=sys.stderr.isatty(), unit="runs") as bar:
        task = bar.add_task("", total=len(runs), completed=len(runs) - len(missing))
        for ended in ending:
            _print_ended(ended)
            bar.advance(task)


def _print_ended(ended: EndedRun) -> None:
    """A line for a run that ended; of one that failed, also the end of its log."""
    run, record = ended.run, ended.run.read_record()
    if record is not None and record.is_done:
        shares = ", ".join(f"{bot} {100 * share:.1f}" for bot, share in record.win_shares.items())
        print(f"{run}: final win share in % against {shares}", flush=True)
        return
    run.record(ended.status)
    how = f"failed with exit status {ended.status}"
    if ended.status < 0:
        how = f"was killed by signal {-ended.status}"
    lines = []
    if run.log.exists():
        lines = run.log.read_text(encoding="utf-8", errors="replace").splitlines()
    print(f"{run}: {how}; the end of {run.log}:", flush=True)
    print("\n".join(f"  {line}" for line in lines[-_LOG_LINES:]), flush=True)
