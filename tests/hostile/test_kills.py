"""Commands that are killed, or stopped by a full disk, end in the files of an unbroken run.

The limit of the size of a file stands in for the disk: it fails the writes in the same way.
"""

import json
import resource
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import pytest
from numpy.random import Generator

from mindup_env import cli
from mindup_training import launch
from mindup_training.loggers.csv_files import read_csv_log
from tests.hostile.kills import run, run_with_kills
from tests.training.runs import TIMED, write_preset

ARENA = "arena random lowest greedy --players 3 --rounds 1 --deals 700 --workers 2 --out out"
TRAIN = "train --preset preset.json --self-play --threads 1 --out out"
EXPLOIT = (
    "exploit lowest --preset preset.json --minutes 0 --threads 1 --players 2 --deals 300 --out out"
)
DATASET = "dataset random greedy --players 3 --rounds 1 --deals 700 --workers 2 --out out"
EXPERIMENT = "experiment preset.json --seeds 2 --evaluation-deals 2 --workers 2 --out out"
COMMANDS = {
    "arena": (ARENA, ["results/*.json", "*.json"]),
    "dataset": (DATASET, ["data/*", "*.json", "*.md"]),
    "experiment": (EXPERIMENT, ["report.*", "*.png", "*.csv", "data/*", "marl_eval.json"]),
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
    folder = prepared(tmp_path)
    run(folder, words)
    start = time.monotonic()
    run(prepared(tmp_path), words)
    seconds = time.monotonic() - start
    results = results_of(folder, name)
    assert results[0]
    return Unbroken(name, words, results, seconds)


@pytest.mark.parametrize("unbroken", COMMANDS, indirect=True)
def test_a_killed_command_ends_as_if_it_had_not_been(
    unbroken: Unbroken, random: Generator, tmp_path: Path
) -> None:
    folder = prepared(tmp_path)
    run_with_kills(random, folder, unbroken.words, unbroken.name, unbroken.seconds)
    assert results_of(folder, unbroken.name) == unbroken.results


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
