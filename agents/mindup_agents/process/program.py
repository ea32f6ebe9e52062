"""A program that speaks the protocol, started when it is needed and again after a failure.

Pipes that never block keep a program that does not read, or does not write, from stopping this
process: every wait is one for both pipes, and ends at the limit.
"""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Annotated, Any

from pydantic import Field

from mindup_agents.process import messages
from mindup_agents.process.messages import ProgramError, UnflushedError
from mindup_env.agent import from_text
from mindup_env.config import GameConfig

MOST_BYTES = 2**20
"""The longest line that a program may write."""
GRACE = 2.0
"""Seconds in which a program must end after the end of its input."""
DEADLINE = "MINDUP_PROCESS_DEADLINE"
"""The environment variable that sets how many seconds a program has for each line."""
_DEFAULT_DEADLINE = "60"
_PIPE_BYTES, _TAIL_BYTES = 2**16, 4096

_Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Program:
    """Asks a program. Its process ends with this object, or when this process ends.

    Args:
        command: the program and its arguments, as for a shell.
        config: the rules of the games to play.
        run_folder: where its standard error is kept; shown at the terminal if None.
    """

    def __init__(self, command: str, config: GameConfig, run_folder: Path | None = None) -> None:
        self.command = command
        self.ready = messages.Ready(type="ready", protocol=messages.VERSION)
        self._words, self._config = split_command(command), config
        self._deadline = from_text(DEADLINE, os.environ.get(DEADLINE, _DEFAULT_DEADLINE), _Seconds)
        self._process: Any = None  # with its pipes
        self._given_up: UnflushedError | None = None
        self._received = bytearray()
        self._requests = 0
        self._stderr: Any = None  # of all processes, one after another
        self._stderr_begin = 0  # of the current process
        if run_folder is not None:
            run_folder.mkdir(parents=True, exist_ok=True)
            name: Any = {"prefix": f"{script_of(self._words)}-", "suffix": ".stderr"}
            # It is closed with this object.
            self._stderr = NamedTemporaryFile("ab", dir=run_folder, delete=False, **name)  # noqa: SIM115
            weakref.finalize(self, _close, self._stderr)

    def start(self) -> None:
        """Starts the process if none runs."""
        if self._process is None:
            with self._named("at the start"):
                self._open()
                hello = messages.hello(self._config, self._deadline)
                self.ready = messages.read_ready(self._exchange(hello))

    def choose(self, seats: list[dict[str, Any]]) -> messages.Answer:
        """Asks for a card for each seat; the problems name the command and the request.

        A program that does not flush its output is not asked again.
        """
        if self._given_up is not None:
            raise self._given_up
        self.start()
        self._requests += 1
        where = f"request {self._requests} for {len(seats)} seat{'s' * (len(seats) != 1)}"
        with self._named(where):
            line = self._exchange({"type": "choose", "id": self._requests, "seats": seats})
            hands = [seat["hand"] for seat in seats]
            answer = messages.read_cards(line, self._requests, hands)
        problems = {
            seat: f"process:{self.command}: {where}: {text}"
            for seat, text in answer.problems.items()
        }
        return answer._replace(problems=problems)

    def end(self, grace: float | None = None) -> int | None:
        """Closes the input of the process, and waits for its end.

        Returns its exit status, or None if it had to be killed.
        """
        process, self._process = self._process, None
        if process is None:
            return 0
        self._finalizer.detach()
        return _end(process, GRACE if grace is None else grace)

    @contextmanager
    def _named(self, where: str) -> Iterator[None]:
        """Ends the process after an error, and says in the error what failed."""
        try:
            yield
        except BaseException as error:
            self.end(0)
            if isinstance(error, UnflushedError):
                self._given_up = error
            if isinstance(error, ProgramError):
                last = self._last_line()
                last = last and f"; the last line of {self._stderr.name}: {last}"
                error.args = (f"process:{self.command}: {where}: {error}{last}",)
            raise

    def _open(self) -> None:
        if not hasattr(os, "killpg"):
            raise ProgramError("programs can be bots on Linux and macOS only")
        if self._stderr is not None:
            self._stderr_begin = Path(self._stderr.name).stat().st_size
        try:
            # A session of its own: Ctrl-C at the terminal is for this process alone.
            process: Any = subprocess.Popen(  # noqa: S603  # the user's own command, no shell
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProgramError(f"it cannot be started: {error}") from None
        self._process, self._received = process, bytearray()
        self._finalizer = weakref.finalize(self, _end, process, GRACE)
        for pipe in (process.stdin, process.stdout):
            os.set_blocking(pipe.fileno(), False)

    def _exchange(self, message: dict[str, Any]) -> bytes:
        """Sends a message and returns the line of the answer, without its end."""
        if self._received:
            raise ProgramError(
                f"it wrote {bytes(self._received[:200])!r} that no request asked for; expected "
                "one line for each request"
            )
        rest, until = memoryview(messages.encode(message)), time.monotonic() + self._deadline
        to_program, from_program = self._process.stdin, self._process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(to_program, selectors.EVENT_WRITE)
            selector.register(from_program, selectors.EVENT_READ)
            while rest or b"\n" not in self._received:
                left = until - time.monotonic()
                if left <= 0:
                    raise self._late()
                for key, _ in selector.select(left):
                    if key.fileobj is from_program:
                        self._read()
                        continue
                    try:
                        rest = rest[os.write(key.fd, rest[:_PIPE_BYTES]) :]
                    except BrokenPipeError:
                        rest = rest[:0]  # it may have answered before it ended; its output tells
                    if not rest:
                        selector.unregister(to_program)
        answer, _, self._received = self._received.partition(b"\n")
        return bytes(answer)

    def _late(self) -> ProgramError:
        """The error of an answer that has not come, perhaps since the program does not flush it.

        Then it comes when the program ends, as it does at the end of its input.
        """
        output, until = self._process.stdout, time.monotonic() + GRACE
        self._process.stdin.close()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while b"\n" not in self._received and selector.select(until - time.monotonic()):
                data = os.read(output.fileno(), _PIPE_BYTES)
                self._received += data
                if not data or len(self._received) > MOST_BYTES:
                    break
        limit = f"no answer within {self._deadline:g} s; {DEADLINE} sets this limit"
        if b"\n" not in self._received:
            return ProgramError(limit)
        return UnflushedError(
            "its answer came only when its input had ended: a program must flush its output after "
            f"each line, as print(..., flush=True) does ({limit})"
        )

    def _read(self) -> None:
        data = os.read(self._process.stdout.fileno(), _PIPE_BYTES)
        self._received += data
        if len(self._received) > MOST_BYTES:
            raise ProgramError(f"it wrote more than {MOST_BYTES:,} bytes; expected a shorter line")
        if data:
            return
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            raise ProgramError("it closed its output before the end of its input") from None
        how = f"was killed by signal {-status}"
        if status >= 0:
            how = f"ended with exit status {status} before the end of its input"
        raise ProgramError(f"it {how}")

    def _last_line(self) -> str:
        """The last line that the current process wrote to its standard error, if it is kept."""
        if self._stderr is None:
            return ""
        with Path(self._stderr.name).open("rb") as file:
            file.seek(max(self._stderr_begin, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def split_command(command: str) -> list[str]:
    """The words of a command, split as a shell would; no shell runs it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise ValueError("process needs a command, as in process:./mybot")
    if shutil.which(words[0]) is None:
        raise ValueError(
            f"no program {words[0]!r} to run: it must be a path to an executable file, or be "
            "found on the path of the shell"
        )
    return words


def script_of(words: Sequence[str]) -> str:
    """The name of the last argument that is a file, or else of the program."""
    files = [word for word in words[1:] if Path(word).is_file()]
    return Path([words[0], *files][-1]).name


def _close(stderr: IO[bytes]) -> None:
    """Closes the file of a standard error, and removes it if it stayed empty."""
    stderr.close()
    with suppress(OSError):
        if Path(stderr.name).stat().st_size == 0:
            Path(stderr.name).unlink()


def _end(process: Any, grace: float) -> int | None:
    """Closes the input, waits, and kills what is then left, with its own children."""
    process.stdin.close()
    try:
        status: int | None = process.wait(grace)
    except subprocess.TimeoutExpired:
        status = None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process.stdout.close()
    return status
