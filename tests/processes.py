"""The command in a process of its own, as people start it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Whoever runs the tests in the background may have all their processes born deaf to Ctrl-C.
MINDUP = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from mindup_cli import main; sys.exit(main())"
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
