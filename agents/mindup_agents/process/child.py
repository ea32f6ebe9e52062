"""A child process that is sent lines and answers with lines, within a time limit.

Pipes that never block keep a program that does not read, or does not write, from stopping this
process: every wait is one for both pipes, and ends at the limit.
"""

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, cast

MOST_BYTES = 2**20
"""The longest line that a program may write."""
GRACE = 2.0
"""Seconds in which a program must end after the end of its input."""
_PIPE_BYTES = 2**16


class ProgramError(Exception):
    """A program crashed, took too long or broke the protocol; the message says how."""


class Child:
    """The process. It ends with this object, or when this process ends in any way.

    Args:
        words: the program and its arguments.
        stderr: where its standard error goes; to that of this process if None.
    """

    def __init__(self, words: Sequence[str], stderr: IO[bytes] | None) -> None:
        if not hasattr(os, "killpg"):
            raise ProgramError("programs can be bots on Linux and macOS only")
        try:
            # A session of its own: Ctrl-C at the terminal is for this process alone.
            self._process = subprocess.Popen(  # noqa: S603  # the user's own command, no shell
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProgramError(f"it cannot be started: {error}") from None
        self._received = bytearray()
        self._finalizer = weakref.finalize(self, _end, self._process, GRACE)
        self._to_child, self._from_child = (pipe.fileno() for pipe in _pipes(self._process))
        for number in (self._to_child, self._from_child):
            os.set_blocking(number, False)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Sends a line and returns the answer, without its end."""
        if self._received:
            raise ProgramError(
                f"it wrote {bytes(self._received[:200])!r} that no request asked for; expected "
                "one line for each request"
            )
        rest, until = memoryview(line), time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._to_child, selectors.EVENT_WRITE)
            selector.register(self._from_child, selectors.EVENT_READ)
            while rest or b"\n" not in self._received:
                left = until - time.monotonic()
                if left <= 0:
                    raise ProgramError(
                        f"no answer within {seconds:g} s; MINDUP_PROCESS_DEADLINE sets this limit"
                    )
                for key, _ in selector.select(left):
                    if key.fd == self._from_child:
                        self._read()
                    else:
                        rest = rest[self._write(rest) :]
                        if not rest:
                            selector.unregister(self._to_child)
        answer, _, self._received = self._received.partition(b"\n")
        return bytes(answer)

    def end(self, grace: float = 0.0) -> int | None:
        """Ends the process, after a while in which it can end by itself.

        Returns its exit status, or None if it had to be killed.
        """
        self._finalizer.detach()
        return _end(self._process, grace)

    def _read(self) -> None:
        data = os.read(self._from_child, _PIPE_BYTES)
        if not data:
            raise ProgramError(self._how_it_ended())
        self._received += data
        if len(self._received) > MOST_BYTES:
            raise ProgramError(f"it wrote more than {MOST_BYTES:,} bytes; expected a shorter line")

    def _write(self, data: memoryview) -> int:
        """The number of bytes that need not be written any more."""
        try:
            return os.write(self._to_child, data[:_PIPE_BYTES])
        except BrokenPipeError:
            return len(data)  # it may have answered before it ended; its output tells

    def _how_it_ended(self) -> str:
        """What happened to a program that closed its output."""
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its output before the end of its input"
        if status < 0:
            return f"it was killed by signal {-status}"
        return f"it ended with exit status {status} before the end of its input"


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """The input and the output of a process that was started with both."""
    return cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)


def _end(process: subprocess.Popen[bytes], grace: float) -> int | None:
    """Closes the input, waits, and kills what is then left, with its own children."""
    to_child, from_child = _pipes(process)
    was_killed = False
    to_child.close()
    try:
        process.wait(grace)
    except subprocess.TimeoutExpired:
        was_killed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    from_child.close()
    return None if was_killed else process.returncode
