"""Runs of these tests are made in the process of the test, but for those that are killed.

These are children of a server that has loaded the libraries.
"""

import multiprocessing
import shutil
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from mindup_training.experiment import ExperimentSettings, report_files, run, run_process
from mindup_training.experiment.folder import ExperimentRun
from tests.training.experiment.experiments import (
    PRESET,
    WORDS,
    experiment,
    pretend,
    write_comparison,
)

LOADED = ["mindup_training.learners.sb3", "mindup_training.experiment.run_process"]
"""What takes most of the time of a tiny run."""
CONTEXT: Any = multiprocessing.get_context("forkserver")
in_processes = run.run_in_processes


def run_here(
    runs: Iterable[ExperimentRun], settings: ExperimentSettings, _workers: int
) -> Iterator[tuple[ExperimentRun, int]]:
    """Stands in for run_in_processes."""
    for each in runs:
        each.log.parent.mkdir(parents=True, exist_ok=True)
        status: Any = 0
        with (
            pytest.MonkeyPatch.context() as patch,
            each.log.open("a") as log,
            redirect_stdout(log),
            redirect_stderr(log),
        ):
            patch.setattr(sys, "argv", ["mindup"])
            patch.setattr(sys, "path", [*sys.path])
            for name in ("end_with_parent", "_write_to_log"):
                patch.setattr(run_process, name, lambda *_: None)
            try:
                run_process.serve_run(each, settings)
            except SystemExit as end:
                status = end.code or 0
            except Exception:  # noqa: BLE001  # as a process ends
                traceback.print_exc()
                status = 1
        yield each, status


@pytest.fixture(autouse=True, scope="session")
def _no_processes() -> Iterator[None]:
    CONTEXT.set_forkserver_preload(LOADED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "spawning", CONTEXT)
        patch.setattr(run, "run_in_processes", run_here)
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a preset; trainings pretend to learn, and pictures are empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_process, "train", pretend)
    monkeypatch.setattr(report_files, "save_figure", lambda path, _: path.write_bytes(b""))
    (tmp_path / "tiny.toml").write_text(PRESET)
    return tmp_path


@pytest.fixture(scope="session")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a comparison ran to its end, in the folder ``out``."""
    folder = tmp_path_factory.mktemp("comparison")
    write_comparison(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert experiment(*WORDS) == 0
    return folder


@pytest.fixture
def copied(comparison: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, as the current one."""
    shutil.copytree(comparison, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
