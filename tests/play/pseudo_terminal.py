"""``mindup`` in a pseudo terminal of 80x24, as a person sees it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.processes import MINDUP, ROOT

_TIMEOUT = 120  # seconds: the first use compiles the rules
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class PseudoTerminal:
    """A program at work, and all that it has shown."""

    def __init__(self, process: "subprocess.Popen[bytes]", descriptor: int) -> None:
        self.process, self._descriptor = process, descriptor
        self.shown = ""
        self._seen = 0

    def until(self, text: str) -> str:
        """What was shown since the last call, up to this text, without escape sequences."""
        end = time.monotonic() + _TIMEOUT
        while (found := self.shown.find(text, self._seen)) < 0:
            assert time.monotonic() < end, f"{text!r} is not in {self.shown[self._seen :]!r}"
            if not self._read():
                raise EOFError(f"the program ended before it showed {text!r}: {self.shown!r}")
        begin, self._seen = self._seen, found + len(text)
        return plain(self.shown[begin : self._seen])

    def answer(self, text: str) -> None:
        os.write(self._descriptor, f"{text}\n".encode())

    def rest(self) -> str:
        """What is shown until the end of the program."""
        begin = self._seen
        while self._read():
            pass
        return plain(self.shown[begin:])

    def _read(self) -> bool:
        readable, _, _ = select.select([self._descriptor], [], [], 1)
        if not readable:
            return self.process.poll() is None
        try:
            part = os.read(self._descriptor, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += part.decode(errors="replace")
        return bool(part)


def plain(text: str) -> str:
    """The text without escape sequences; a carriage return overwrites its line."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rpartition("\r")[2] for line in lines)


@contextmanager
def at_a_terminal(*words: str, **variables: str) -> Iterator[PseudoTerminal]:
    environment: Mapping[str, str] = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        **variables,
    }
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-u", "-c", MINDUP, *words],
        cwd=ROOT,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            yield PseudoTerminal(process, ours)
        finally:
            process.kill()
            os.close(ours)
