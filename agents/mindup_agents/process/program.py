"""A program that speaks the protocol, started when it is needed and again after a failure."""

import math
import os
import shlex
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from mindup_agents.process import messages
from mindup_agents.process.child import GRACE, Child, ProgramError
from mindup_env.config import GameConfig

DEADLINE = "MINDUP_PROCESS_DEADLINE"
"""The environment variable that sets how many seconds a program has for each line."""
DEFAULT_DEADLINE = 60.0
_TAIL_BYTES = 4096


class Program:
    """Asks a program, of which at most one process runs at a time.

    Args:
        command: the program and its arguments, as for a shell.
        config: the rules of the games to play.
        run_folder: where its standard error is kept; shown at the terminal if None.
    """

    def __init__(self, command: str, config: GameConfig, run_folder: Path | None = None) -> None:
        self.command = command
        self._words, self._config = split_command(command), config
        self._deadline = _read_deadline()
        self._stderr = (
            None if run_folder is None else StderrFile(run_folder, script_of(self._words))
        )
        self._child: Child | None = None
        self._requests = 0
        self.ready = messages.Ready(type="ready", protocol=1)

    def start(self) -> Child:
        """The process that runs; it is started if there is none."""
        if self._child is not None:
            return self._child
        try:
            if self._stderr is not None:
                self._stderr.begin()
            child = Child(self._words, None if self._stderr is None else self._stderr.file)
            self._child = child
            hello = messages.encode(messages.hello(self._config, self._deadline))
            self.ready = messages.read_ready(child.exchange(hello, self._deadline))
        except BaseException as error:
            self._fail("at the start", error)
            raise
        return child

    def choose(self, seats: list[dict[str, Any]]) -> messages.Answer:
        """Asks for a card for each seat; the problems name the command and the request."""
        child = self.start()
        self._requests += 1
        where = f"request {self._requests} for {len(seats)} seat{'s' * (len(seats) != 1)}"
        try:
            line = messages.encode(messages.choose(self._requests, seats))
            answer = messages.read_cards(
                child.exchange(line, self._deadline),
                self._requests,
                [seat["hand"] for seat in seats],
            )
        except BaseException as error:
            self._fail(where, error)
            raise
        problems = {seat: self._named(where, text) for seat, text in answer.problems.items()}
        return answer._replace(problems=problems)

    def end(self) -> int | None:
        """Closes the input of the process, and waits for its end.

        Returns its exit status, or None if it had to be killed.
        """
        child, self._child = self._child, None
        return 0 if child is None else child.end(GRACE)

    def _fail(self, where: str, error: BaseException) -> None:
        """Ends a process whose state is unknown, and says in the error what failed."""
        if self._child is not None:
            self._child.end()
            self._child = None
        if isinstance(error, ProgramError):
            said = self._named(where, str(error))
            last = "" if self._stderr is None else self._stderr.last_line()
            if self._stderr is not None and last:
                said += f"; the last line of {self._stderr.path}: {last}"
            error.args = (said,)

    def _named(self, where: str, problem: str) -> str:
        return f"process:{self.command}: {where}: {problem}"


def _read_deadline() -> float:
    text = os.environ.get(DEADLINE, str(DEFAULT_DEADLINE))
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"{DEADLINE} must be a number of seconds above 0, not {text!r}")
    return seconds


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


class StderrFile:
    """The standard error of a program, in a file that is removed at the end if it stayed empty.

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
