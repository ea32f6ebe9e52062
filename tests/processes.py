"""The command in a process of its own, as people start it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Whoever runs the tests in the background may have all their processes born deaf to Ctrl-C.
MINDUP = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from mindup_env.cli import main; sys.exit(main())"
)


@contextmanager
def at_work(*words: str) -> Iterator[subprocess.Popen[str]]:
    """``mindup`` with these words, as long as it is looked at."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", MINDUP, *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def error_after_fork(function: Callable[[], object]) -> str:
    """The text of the RuntimeError that a function raises in a forked process; else empty."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            function()
        except RuntimeError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        return pipe.read()
