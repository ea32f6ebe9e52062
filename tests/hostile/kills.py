"""Commands that are killed at random times, and resumed until they end.

They run in children of a server that has loaded the libraries, which would take most of the time.
"""

import multiprocessing
import os
import sys
from itertools import count
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import patch

from numpy.random import Generator

from mindup_env import cli
from mindup_env.runs.run_folder import has_run
from mindup_training import launch
from mindup_training.learners import sb3  # noqa: F401  # loads the libraries in the server

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([__name__])
_MOST_KILLS = 30  # of one run
_ERRORS = "errors.txt"


def run(folder: Path, words: list[str]) -> None:
    """Runs a command in a folder to its end."""
    process = _start(folder, words)
    process.join()
    assert process.exitcode == 0, (folder / _ERRORS).read_text()


def run_with_kills(
    random: Generator, folder: Path, words: list[str], subcommand: str, seconds: float
) -> None:
    """Runs a command whose results are in the folder ``out``.

    A start that was killed before it made a run is repeated.
    """
    for kills in count():
        begun = has_run(folder / "out")
        process = _start(folder, [subcommand, "--resume", "out"] if begun else words)
        process.join(float(random.uniform(0, seconds)) if kills < _MOST_KILLS else None)
        if process.exitcode is not None:
            assert process.exitcode == 0, (folder / _ERRORS).read_text()
            return
        process.kill()
        process.join()


def _start(folder: Path, words: list[str]) -> BaseProcess:
    process = _context.Process(target=_run, args=(folder, words))
    process.start()
    return process


def _run(folder: Path, words: list[str]) -> None:
    """In the new process; the final ranking is an arena, which is killed in a test of its own."""
    os.chdir(folder)
    with Path(os.devnull).open("w") as nothing, Path(_ERRORS).open("w") as errors:
        sys.stdout, sys.stderr = nothing, errors
        with patch.object(launch, "rank_policy", return_value=0):
            status = cli.main(words)
    os._exit(status)
