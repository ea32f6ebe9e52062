"""A run: its command line, and its folder with ``run.json`` and checkpoints to go on from."""

import argparse
import io
import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import torch
import tyro

from mindup_env.checks import InputError, shortened
from mindup_env.files import atomic_write, write_plain

RUN = "run.json"
CHECKPOINT = "checkpoint.pt"
_LIBRARIES = "mindup-env", "numpy", "sb3-contrib", "stable-baselines3", "torch"

LIMITS = {"timesteps", "minutes"}
"""The settings that end a training."""

S = TypeVar("S", bound=Any)


@dataclass(kw_only=True)
class RunOptions:
    """The options of all commands that train, beside their settings."""

    settings: Any
    out: Path | None = None  # folder of the run; by default a new one in runs/
    resume: Path | None = None
    """go on from the last checkpoint of the run in a folder, with its settings"""

    def folder(self, name: str) -> Path:
        """The folder of the run; ``name`` is that of a new one without an option."""
        return self.resume or self.out or unused_folder(name)


O = TypeVar("O", bound=RunOptions)  # noqa: E741


def read_options(
    words: Sequence[str], prog: str, about: str, defaults: O, beside_resume: str | None = None
) -> O:
    """The options of a command line; those of a run that is resumed have its settings.

    ``beside_resume`` is the only option that can be combined with ``--resume``.
    """
    first = argparse.ArgumentParser(prog, add_help=False, allow_abbrev=False)
    for name in filter(None, ("--resume", beside_resume, *(f"--{each}" for each in LIMITS))):
        first.add_argument(name)
    given, others = first.parse_known_args(words)
    found = tyro.cli(type(defaults), prog=prog, description=about, args=words, default=defaults)
    limits = {name for name in LIMITS if getattr(given, name) is not None}
    if found.resume is not None:
        if others or limits:
            rule = (
                f"can only be combined with {beside_resume}"
                if beside_resume
                else "cannot be combined"
            )
            raise InputError(f"--resume {rule}: a run keeps its settings")
        found.settings, _ = read_run(found.resume, type(defaults.settings))
    elif len(limits) == 1:  # it replaces the default of the other
        (other,) = LIMITS - limits
        setattr(found.settings, other, None)
    return found


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
            f"{path} has a run already: resume it with --resume {path}, in Python by "
            "train(..., resume=True), or give another folder with --out"
        )
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{path} is no empty folder: give another one with --out")


def open_run(folder: Path, settings: Any, own: Sequence[str] = (), *, resume: bool) -> None:
    """Begins a run in a new folder, or checks that it is that of the folder.

    ``own`` names the code of a user in it.
    """
    if resume:
        check_same(folder, settings, own)
    else:
        check_unused(folder)
        folder.mkdir(parents=True, exist_ok=True)
        about = {
            "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
            "settings": asdict(settings),
            "own": [*own],
            "versions": {
                "python": sys.version.split()[0],
                **{name: version(name) for name in _LIBRARIES},
            },
            "commit": _commit(),
        }
        write_plain(folder / RUN, about)
    print(f"run folder: {folder}", flush=True)


def _commit() -> str | None:
    """The commit of this code, if it is run from a checkout."""
    root = Path(__file__).parents[2]
    describe = "git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"
    if not (root / ".git").exists():  # that of a folder above may be another project's
        return None
    try:
        found = subprocess.run(describe, capture_output=True, check=True, text=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()


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
        found = settings_class(**settings)
        found.check()
        return found, [*map(str, plain["own"])]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        what = shortened(str(error))
        raise InputError(f"{folder / RUN} does not describe a training: {what}") from None


def check_same(folder: Path, settings: Any, own: Sequence[str] = ()) -> None:
    """Refuses to go on with another run."""
    found, of_run = read_run(folder, type(settings))
    if (found, of_run) != (settings, [*own]):
        raise InputError(
            f"the run in {folder} has other settings, or code of its own "
            f"({' and '.join(of_run) or 'it has none'}): go on by train(..., resume=True) with the "
            "same arguments"
        )


@contextmanager
def resumable(command: str, folder: Path) -> Iterator[None]:
    """Adds to an interruption, and to a full disk, how to go on."""
    shown = threading.excepthook
    # A thread of TensorBoard leaves its error to the next call as well: once is enough.
    threading.excepthook = lambda of: None if of.exc_type is OSError else shown(of)
    try:
        yield
    except (KeyboardInterrupt, OSError) as error:
        if has_run(folder):
            error.add_note(f"to resume: {command} --resume {shlex.quote(str(folder))}")
        raise
    finally:
        threading.excepthook = shown


def save_checkpoint(folder: Path, saved: Any) -> None:
    """Writes what ``last_checkpoint`` reads."""
    # Into memory first: PyTorch does not say what a full disk is.
    buffer = io.BytesIO()
    torch.save(saved, buffer)
    with atomic_write(folder / CHECKPOINT) as file:
        file.write(buffer.getbuffer())


@contextmanager
def last_checkpoint(folder: Path) -> Iterator[Any]:
    """What was saved last, or None; this runs no code from the file.

    An error of the context says that the checkpoint does not fit.
    """
    path = folder / CHECKPOINT
    try:
        yield torch.load(path, weights_only=True) if path.exists() else None
    except Exception as error:  # noqa: BLE001  # of a file that does not fit, many kinds
        what = shortened(str(error))
        raise InputError(f"{path} does not fit this training: {what}") from None
