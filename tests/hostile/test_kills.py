"""Commands that are killed, or stopped by a full disk, end in the files of an unbroken run.

Those that are killed run in children of a server that has loaded the libraries, which would take
most of the time. The limit of the size of a file stands in for the disk: it fails the writes in the
same way.
"""

import json
import multiprocessing
import os
import resource
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from numpy.random import Generator

from mindup_env import cli
from mindup_env.runs.run_folder import has_run, resume_command
from mindup_training import launch
from mindup_training.learners import sb3  # noqa: F401  # loads the libraries in the server
from mindup_training.loggers.csv_files import read_csv_log
from tests.training.runs import TIMED, write_preset

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([__name__])
_MOST_KILLS = 30  # of one run
_ERRORS = "errors.txt"

ARENA = "arena rank random lowest greedy --players 3 --rounds 1 --deals 700 --workers 2 --out out"
TRAIN = "train --preset preset.json --self-play --threads 1 --out out"
EXPLOIT = (
    "train exploit lowest --preset preset.json --minutes 0 --threads 1 --players 2 --deals 300"
    " --out out"
)
COMMANDS = {
    "arena": (ARENA, ["results/*.json", "*.json"]),
    "train": (TRAIN, ["policy.safetensors", "snapshots/*", "checkpoints/*.safetensors"]),
    "exploit": (EXPLOIT, ["policy.safetensors", "exploit.json", "checkpoints/*.safetensors"]),
}
DISK = 10_000, 200_000
"""The description of a run is smaller, and its largest file has about this size."""


class Unbroken(NamedTuple):
    """A run to compare with: its name, command, files of results and figures, and its time."""

    name: str
    words: list[str]
    results: tuple[dict[str, bytes], list[dict[str, str]]]
    seconds: float


@pytest.fixture
def unbroken(request: pytest.FixtureRequest, tmp_path: Path) -> Unbroken:
    name: str = request.param
    words = COMMANDS[name][0].split()
    folder, seconds = prepared(tmp_path), 0.0
    for each in (folder, prepared(tmp_path)):
        start = time.monotonic()
        run(each, words)
        seconds = time.monotonic() - start
    results = results_of(folder, name)
    assert results[0]
    return Unbroken(name, words, results, seconds)


@pytest.mark.parametrize("unbroken", COMMANDS, indirect=True)
def test_a_killed_command_ends_as_if_it_had_not_been(
    unbroken: Unbroken, random: Generator, tmp_path: Path
) -> None:
    """A start that was killed before it made a run is repeated."""
    folder = prepared(tmp_path)
    for kills in count():
        begun = has_run(folder / "out")
        words = resume_command(unbroken.name, Path("out")).split()[1:] if begun else unbroken.words
        late = float(random.uniform(0, unbroken.seconds)) if kills < _MOST_KILLS else None
        if run(folder, words, late):
            break
    assert results_of(folder, unbroken.name) == unbroken.results


def run(folder: Path, words: list[str], seconds: float | None = None) -> bool:
    """Runs a command in a folder, and kills it after a time; whether it had ended before."""
    process: BaseProcess = _context.Process(target=_run, args=(folder, words))
    process.start()
    process.join(seconds)
    if process.exitcode is not None:
        assert process.exitcode == 0, (folder / _ERRORS).read_text()
        return True
    process.kill()
    process.join()
    return False


def _run(folder: Path, words: list[str]) -> None:
    """In the new process; the final ranking is an arena, which is killed in a test of its own."""
    os.chdir(folder)
    with Path(os.devnull).open("w") as nothing, Path(_ERRORS).open("w") as errors:
        sys.stdout, sys.stderr = nothing, errors
        with patch.object(launch, "rank_policy", return_value=0):
            status = cli.main(words)
    os._exit(status)


@pytest.mark.parametrize("unbroken", ["train", "exploit"], indirect=True)
def test_what_a_full_disk_stopped_is_resumed(
    unbroken: Unbroken,
    random: Generator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(launch, "rank_policy", lambda _: 0)
    folder = prepared(tmp_path)
    monkeypatch.chdir(folder)
    capsys.readouterr()
    with no_file_above(int(random.integers(*DISK))):
        status = cli.main(unbroken.words)
    if status != 0:
        (line,) = capsys.readouterr().err.splitlines()
        assert status == 1 and line.startswith("mindup: out/"), line
        resume = f"; to resume: mindup {unbroken.name} --resume out"
        assert line.endswith(f": File too large{resume}"), line
        begun = json.loads((folder / "out" / "run.json").read_text())
        assert shlex.split(begun["command"])[1] == unbroken.name
        assert cli.main([unbroken.name, "--resume", "out"]) == 0
    assert results_of(folder, unbroken.name) == unbroken.results


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def prepared(tmp_path: Path) -> Path:
    folder = Path(mkdtemp(dir=tmp_path))
    write_preset(folder / "preset.json", "sb3", loggers=["tensorboard"], self_play=None)
    return folder


def results_of(folder: Path, name: str) -> Any:
    """The files that are the same in every run, and all recorded figures but those of the clock.

    A run that ended has no leftovers of atomic writes, and no locks.
    """
    assert not [path for path in (folder / "out").rglob(".*") if path.is_file()]
    found = sorted(path for pattern in COMMANDS[name][1] for path in folder.glob(f"out/{pattern}"))
    files = {str(path.relative_to(folder)): path.read_bytes() for path in found}
    logs = folder / "out" / "metrics.csv", folder / "out" / "evaluations.csv"
    rows = [row for log in logs for row in read_csv_log(log)]
    return files, [{name: row[name] for name in row if name != TIMED} for row in rows]
