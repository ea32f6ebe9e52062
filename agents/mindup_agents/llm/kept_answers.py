"""The requests and answers of a run, in files that its processes write side by side.

Each bot of each process appends JSON lines to a file of its own, and reads those of the others. A
line is written at once, so that a process that is killed loses at most its last line, which then
has no end and is not read.
"""

import json
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from mindup_env.agent import StopRunError

FOLDER = "llm"
_FILES = "answers-*.jsonl"
_FILES_OF_ARENA = f"bots/*/{FOLDER}/{_FILES}"
"""Each bot of an arena has a folder of its own."""


class KeptAnswer(NamedTuple):
    """The answer to a request, and what it took."""

    answer: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float


class KeptAnswers:
    """Answers by the key of their request; several threads share it.

    Args:
        run_folder: the folder of the bot; answers are kept in memory alone if it is None.
        arena: the folder of the arena that plays, to read the answers of all of its bots.
    """

    def __init__(self, run_folder: Path | None, arena: Path | None = None) -> None:
        self._arena = arena
        self._folder = None if run_folder is None else run_folder / FOLDER
        # Ordered by time, so that all processes take the same one of two answers to a request.
        self._name = f"answers-{time.time_ns()}-{secrets.token_hex(4)}.jsonl"
        self._lock = Lock()
        self._answers: dict[str, KeptAnswer] = {}
        self._spent = 0.0
        self._read: dict[Path, int] = {}  # the bytes that were read of each file

    @property
    def spent(self) -> float:
        """The cost of all answers of the run, of all bots and processes."""
        with self._lock:
            self._refresh()
            return self._spent

    def find(self, key: str) -> KeptAnswer | None:
        """The answer to the request with this key, if any process of the run has one."""
        with self._lock:
            if key not in self._answers:
                self._refresh()
            return self._answers.get(key)

    def keep(self, key: str, request: Mapping[str, Any], answer: KeptAnswer) -> KeptAnswer:
        """Keeps an answer; returns it, or the one that another process kept meanwhile."""
        with self._lock:
            self._refresh()
            self._append({"key": key, "request": request, **answer._asdict()})
            self._spent += answer.cost
            return self._answers.setdefault(key, answer)

    def keep_failure(self, key: str, request: Mapping[str, Any], problem: str) -> None:
        """Keeps a request that failed; it has no answer, and is sent again."""
        with self._lock:
            self._append({"key": key, "request": request, "failure": problem})

    def _append(self, record: Mapping[str, Any]) -> None:
        if self._folder is None:
            return
        path = self._folder / self._name
        line = f"{json.dumps(record)}\n".encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.open("ab", buffering=0) as file:
                file.write(line)
        except OSError as error:
            raise StopRunError(f"cannot keep an answer in {path}: {error.strerror}") from None

    def _refresh(self) -> None:
        """Reads what other processes, and earlier ones of the run, have written."""
        if self._folder is None:
            return
        own = self._folder.glob(_FILES)
        found = own if self._arena is None else self._arena.glob(_FILES_OF_ARENA)
        for path in sorted(found, key=lambda path: path.name):
            if path.name != self._name and path.stat().st_size > self._read.get(path, 0):
                self._read_on(path)

    def _read_on(self, path: Path) -> None:
        """Reads the lines that are new in a file, except a last one without an end."""
        begin = self._read.get(path, 0)
        with path.open("rb") as file:
            file.seek(begin)
            content = file.read()
        end = content.rfind(b"\n") + 1
        for line in content[:end].splitlines():
            self._read_line(path, line)
        self._read[path] = begin + end

    def _read_line(self, path: Path, line: bytes) -> None:
        try:
            record = json.loads(line)
            if "failure" in record:
                return
            answer = KeptAnswer(*(record[name] for name in KeptAnswer._fields))
            self._answers.setdefault(record["key"], answer)
            self._spent += answer.cost
        except (ValueError, LookupError, TypeError, RecursionError):
            raise StopRunError(
                f"{path} has a damaged line, at byte {self._read.get(path, 0)} or after: remove "
                "it, and its request is sent again"
            ) from None
