"""Runs of these tests are children of a server that has loaded the libraries."""

import multiprocessing
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindup_training.experiment import execution
from tests.training.experiment.experiments import PRESET, WORDS, experiment, write_comparison

PRELOADED = "tests.training.experiment.preloaded"
CONTEXT: Any = multiprocessing.get_context("forkserver")


@pytest.fixture(autouse=True, scope="session")
def _quick_processes() -> Iterator[None]:
    CONTEXT.set_forkserver_preload([PRELOADED])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execution, "_context", CONTEXT)
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a preset."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(PRESET)
    return tmp_path


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a comparison ran to its end, in the folder ``out``."""
    folder = tmp_path_factory.mktemp("finished")
    write_comparison(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert experiment(*WORDS) == 0
    return folder


@pytest.fixture
def copied(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, as the current one."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
