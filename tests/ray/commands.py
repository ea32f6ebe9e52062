"""Commands in processes of their own, as people call them."""

import os
import subprocess
import sys

from tests.processes import MINDUP, ROOT

ENVIRONMENT = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
_PATIENCE = 300


def start(*words: object, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", MINDUP, *map(str, words)],
        cwd=ROOT,
        env={**ENVIRONMENT, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str], status: int = 0) -> str:
    """What it said; it must have ended with this exit status."""
    said, _ = process.communicate(timeout=_PATIENCE)
    assert process.returncode == status, said
    return said


def run(*words: object, status: int = 0, **variables: str) -> str:
    with start(*words, **variables) as process:
        return finish(process, status)
