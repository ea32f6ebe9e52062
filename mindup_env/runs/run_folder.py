"""The folder of a run that resumes: of an arena, a benchmark or a training.

``run.json`` says what the run is. It is there from the start, so that a run can be interrupted or
killed at any moment; the files of results are written in one step each, and one that is there is
complete. One process at a time writes to the folder.
"""

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, cast

from mindup_env.runs.files import (
    LOCK_NAME,
    check_writable,
    is_leftover,
    lock_folder,
    write_plain,
)
from mindup_env.settings.checks import check_entries
from mindup_env.settings.declaration import from_plain, to_plain
from mindup_env.settings.field_types import is_settings

RUN = "run.json"
_ENTRIES = "kind", "command", "settings", "details"
_COMMANDS = {
    "arena": "arena rank",
    "benchmark": "benchmark run",
}
"""The commands of the kinds that have another name."""

S = TypeVar("S")


@dataclass(eq=False)
class RunFolder(Generic[S]):
    """A run in its folder.

    Its settings are a class that ``@settings`` declares, or one with ``to_dict`` and ``from_dict``.

    ``create``, ``resume`` and ``create_or_resume`` are contexts in which no other process writes to
    the folder. An interruption in them says how to resume. They raise ValueError if another process
    writes to the folder, or if it has another run, or other files.

    Attributes:
        path: The folder.
        kind: What is run, such as ``arena``; see ``command_of``.
        settings: What is run.
        command: The command that began the run, for people.
        details: What else ``run.json`` has.
    """

    path: Path
    kind: str
    settings: S
    command: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def create(
        cls,
        path: Path,
        kind: str,
        settings: S,
        *,
        command: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> Iterator[Self]:
        """A new run in a new or empty folder; by default, of the command of this process."""
        check_unused(path)
        check_writable(path, path)
        with lock_folder(path), _advising(kind, path):
            check_unused(path)
            if command is None:
                program = [Path(word).name for word in sys.argv[:1]]
                command = shlex.join([*program, *sys.argv[1:]])
            folder = cls(path, kind, settings, command, details or {})
            folder.write()
            yield folder

    @classmethod
    @contextmanager
    def resume(cls, path: Path, kind: str, settings_class: type[S]) -> Iterator[Self]:
        """The run of a folder, to be continued."""
        cls.read(path, kind, settings_class)  # where there is no run, no folder is made
        with lock_folder(path), _advising(kind, path):
            yield cls.read(path, kind, settings_class)

    @classmethod
    @contextmanager
    def create_or_resume(cls, path: Path, kind: str, settings: S, **new: Any) -> Iterator[Self]:
        """The run of a folder if it has the same settings; a new run if the folder has none.

        The arguments are those of ``create``.
        """
        with (
            cls.resume(path, kind, type(settings))
            if has_run(path)
            else cls.create(path, kind, settings, **new)
        ) as folder:
            if folder.settings != settings:
                raise ValueError(
                    f"{path} has a run of {command_of(kind)} with other settings: choose another "
                    "folder"
                )
            yield folder

    @classmethod
    def read(cls, path: Path, kind: str, settings_class: type[S]) -> Self:
        """The run of a folder, which another process may be writing."""
        if not has_run(path):
            raise ValueError(f"no run of {command_of(kind)} in {path}: it has no {RUN}")
        declared, own = is_settings(settings_class), cast("Any", settings_class)
        read = partial(from_plain, own) if declared else own.from_dict
        try:
            plain = json.loads((path / RUN).read_text(encoding="utf-8"))
            check_entries("a run", plain, _ENTRIES)
            if plain["kind"] == kind:
                return cls(path, kind, read(plain["settings"]), plain["command"], plain["details"])
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path / RUN} does not describe a run ({error}): restore the file, or start the "
                "run again in another folder"
            ) from None
        raise ValueError(
            f"{path} has a run of {command_of(plain['kind'])}, not of {command_of(kind)}: "
            f"{resume_command(plain['kind'], path)}"
        )

    def write(self) -> None:
        """Writes ``run.json``."""
        own: Any = self.settings
        plain = {
            "kind": self.kind,
            "command": self.command,
            "settings": to_plain(own) if is_settings(type(own)) else own.to_dict(),
            "details": self.details,
        }
        write_plain(self.path / RUN, plain)

    @property
    def resume_command(self) -> str:
        """The command that resumes the run."""
        return resume_command(self.kind, self.path)


@contextmanager
def kept_or_temporary(path: Path | None, kind: str) -> Iterator[Path]:
    """The folder of a run; a temporary one without a path, which only an interrupted run leaves."""
    folder = path or Path(tempfile.mkdtemp(prefix=f"mindup-{kind}-"))
    try:
        with _advising(kind, folder):
            yield folder
    except ValueError:
        if path is None:
            shutil.rmtree(folder)
        raise
    if path is None:
        shutil.rmtree(folder)


@contextmanager
def _advising(kind: str, path: Path) -> Iterator[None]:
    """Adds to what interrupts a run how to go on; a wrong setting does not interrupt it."""
    try:
        yield
    except ValueError:
        raise
    except BaseException as error:
        command = resume_command(kind, path)
        advice = f"to resume: {command}" if has_run(path) else f"start {command_of(kind)} again"
        # A run within another, as in a benchmark, is resumed with the outer one.
        error.__notes__ = [advice]
        raise


def has_run(path: Path) -> bool:
    """Whether a run was begun in a folder, of any kind."""
    return (path / RUN).exists()


def command_of(kind: object) -> str:
    """The command that makes runs of a kind."""
    return f"mindup {_COMMANDS.get(str(kind), kind)}"


def resume_command(kind: object, path: Path) -> str:
    """The command that resumes the run of a folder."""
    return f"{command_of(kind)} --resume {shlex.quote(str(path))}"


def unused_folder(name: str) -> Path:
    """The first of ``runs/NAME``, ``runs/NAME-2`` and so on that does not exist."""
    path, number = Path("runs") / name, 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}")
    return path


def check_unused(path: Path) -> None:
    """Refuses a folder with files, but for what a start that was killed left."""
    if has_run(path):
        raise ValueError(
            f"{path} has a run already: resume it with --resume {path}, or give another folder "
            "with --out"
        )
    is_own = not path.exists() or (
        path.is_dir()
        and all(each.name == LOCK_NAME or is_leftover(each) for each in path.iterdir())
    )
    if not is_own:
        raise ValueError(f"{path} is no empty folder: give another one with --out")
