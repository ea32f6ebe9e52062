"""The folder of a training: ``run.json`` says what is trained, so that it can go on."""

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from mindup_env.checks import InputError
from mindup_env.files import write_plain

RUN = "run.json"
_LIBRARIES = "mindup-env", "numpy", "sb3-contrib", "stable-baselines3", "torch"

S = TypeVar("S")


def has_run(path: Path) -> bool:
    """Whether a run was begun in a folder."""
    return (path / RUN).exists()


def unused_folder(name: str) -> Path:
    """The first of ``runs/NAME``, ``runs/NAME-2`` and so on that does not exist."""
    path = Path("runs") / name
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}")
    return path


def check_unused(path: Path) -> None:
    """Refuses what is no new or empty folder."""
    if has_run(path):
        raise InputError(
            f"{path} has a run already: resume it with --resume {path}, or give another folder "
            "with --out"
        )
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{path} is no empty folder: give another one with --out")


def begin_run(folder: Path, settings: Any, own: Sequence[str] = ()) -> None:
    """Makes the folder of a new run; ``own`` names the code of a user in it."""
    check_unused(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
    versions = {name: version(name) for name in _LIBRARIES}
    about = {
        "command": command,
        "settings": asdict(settings),
        "own": [*own],
        "versions": {"python": sys.version.split()[0], **versions},
    }
    write_plain(folder / RUN, about)


def read_run(folder: Path, settings_class: type[S]) -> tuple[S, list[str]]:
    """The settings of the run in a folder, and what it has of a user's own code."""
    if not has_run(folder):
        raise InputError(f"no run in {folder}: it has no {RUN}")
    try:
        plain = json.loads((folder / RUN).read_text(encoding="utf-8"))
        settings: dict[str, Any] = {
            name: tuple(each) if isinstance(each, list) else each
            for name, each in plain["settings"].items()
        }
        return settings_class(**settings), plain["own"]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"{folder / RUN} does not describe a training: {error}") from None


def check_same(folder: Path, settings: Any, own: Sequence[str] = ()) -> None:
    """Refuses to go on with another run."""
    found, of_run = read_run(folder, type(settings))
    if found != settings:
        raise InputError(f"the run in {folder} has other settings; read_run has them")
    if of_run != [*own]:
        had = " and ".join(of_run) or "nothing"
        given = " and ".join(own) or "nothing"
        raise InputError(
            f"the run in {folder} was given {had} of its own by Python code, not {given}: go on "
            "by train(..., resume=True) with the same arguments"
        )


@contextmanager
def resumable(command: str, folder: Path) -> Iterator[None]:
    """Adds to an interruption how to go on."""
    try:
        yield
    except KeyboardInterrupt as error:
        if has_run(folder):
            error.add_note(f"to resume: {command} --resume {shlex.quote(str(folder))}")
        raise
