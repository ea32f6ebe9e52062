"""The standard error of a program, in a file of the run."""

import os
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

_TAIL_BYTES = 4096


class StderrFile:
    """A file that no other process writes; it is removed at the end if it stayed empty.

    All processes that a bot starts, one after another, write to the same file.
    """

    def __init__(self, folder: Path, program: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(".stderr", f"{program}-", folder)
        self.path = Path(name)
        self.file: IO[bytes] = os.fdopen(number, "ab")
        self._start = 0
        weakref.finalize(self, _close, self.file, self.path)

    def begin(self) -> None:
        """What is in the file so far was written by an earlier process."""
        self._start = self.path.stat().st_size

    def last_line(self) -> str:
        """The last line that the current process wrote; empty if there is none."""
        with self.path.open("rb") as file:
            file.seek(max(self._start, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _close(file: IO[bytes], path: Path) -> None:
    file.close()
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()
