"""A training and an arena on a disk that fills up end in one line, and go on where there is room.

The limit of the size of a file stands in for the disk: it fails the writes in the same way.
"""

import json
import resource
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindup_env import cli
from mindup_training import launch
from tests.hostile.conftest import Attempts
from tests.hostile.kills import same_files, unexpected_files
from tests.hostile.test_kills import COMMANDS, figures, prepared

pytestmark = pytest.mark.hostile

LIMITS = 10_000, 200_000
"""The description of a run is smaller, and its largest file has about this size."""


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", ["train", "exploit"])
def test_what_a_full_disk_stopped_is_resumed(
    name: str,
    attempts: Attempts,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(launch, "rank_policy", lambda _: 0)
    command, patterns = COMMANDS[name]
    unbroken = prepared(tmp_path / "unbroken")
    monkeypatch.chdir(unbroken)
    assert cli.main(command.split()) == 0
    expected = same_files(unbroken, patterns), figures(unbroken)
    for number, random in enumerate(attempts):
        attempts.inputs += 1
        folder = prepared(tmp_path / str(number))
        monkeypatch.chdir(folder)
        capsys.readouterr()
        with no_file_above(int(random.integers(*LIMITS))):
            status = cli.main(command.split())
        if status != 0:
            (line,) = capsys.readouterr().err.splitlines()
            assert status == 1 and line.startswith("mindup: out/"), line
            resume = f"; to resume: mindup {name} --resume out"
            assert line.endswith(f": File too large{resume}"), line
            begun = json.loads((folder / "out" / "run.json").read_text())
            assert shlex.split(begun["command"])[1] == name
            assert cli.main([name, "--resume", "out"]) == 0
        assert (same_files(folder, patterns), figures(folder)) == expected
        assert not unexpected_files(folder)
