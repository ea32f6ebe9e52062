"""Commands that are killed at random times, and resumed until they end."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from numpy.random import Generator

_MINDUP = "import sys; from mindup_env.cli import main; sys.exit(main())"
_MOST_KILLS = 30  # of one run
_DESCRIPTIONS = "run.json", "settings.json"  # a run can be resumed as soon as it has one


def run(folder: Path, words: Iterable[str]) -> None:
    """Runs a command in a folder to its end."""
    with _start(folder, words) as process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors


def run_with_kills(
    random: Generator, folder: Path, words: list[str], subcommand: str, seconds: float
) -> int:
    """Runs a command whose results are in the folder ``out``; returns how often it was killed.

    A start that was killed before it made a run is repeated.
    """
    kills = 0
    while True:
        begun = any((folder / "out" / name).exists() for name in _DESCRIPTIONS)
        with _start(folder, [subcommand, "--resume", "out"] if begun else words) as process:
            limit = float(random.uniform(0, seconds)) if kills < _MOST_KILLS else None
            try:
                _, errors = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
                continue
        assert process.returncode == 0, errors
        return kills


def _start(folder: Path, words: Iterable[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _MINDUP, *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def same_files(folder: Path, patterns: Iterable[str]) -> dict[str, bytes]:
    """The files of the results that are the same in every run."""
    found = sorted(path for pattern in patterns for path in (folder / "out").glob(pattern))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def unexpected_files(folder: Path) -> list[Path]:
    """Leftovers of atomic writes, and locks, which a run that ended has removed."""
    return [path for path in (folder / "out").rglob(".*") if path.is_file()]
