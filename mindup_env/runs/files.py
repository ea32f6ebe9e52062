"""Files that are written in one atomic step, and folders in which one process writes at a time."""

import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

_LEFTOVER = re.compile(r"\..+\.[0-9a-f]{16}")
LOCK_NAME = ".lock"


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; it replaces ``path`` when the context ends without an error."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with errors_name(path):
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_text(path: Path, text: str) -> None:
    """Writes a text in UTF-8 in one atomic step."""
    with atomic_write(path) as file:
        file.write(text.encode("utf-8"))


def write_plain(path: Path, plain: Any) -> None:
    """Writes plain data as JSON that people can read, in one atomic step."""
    write_text(path, json.dumps(plain, indent=2) + "\n")


@contextmanager
def errors_name(path: Path) -> Iterator[None]:
    """Errors of the system name the file: that of a full disk names none by itself."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def remove_leftovers(folder: Path) -> None:
    """Removes what a killed process left of atomic writes to files of this folder."""
    for path in folder.glob(".*"):
        if is_leftover(path):
            path.unlink(missing_ok=True)


def is_leftover(path: Path) -> bool:
    """Whether this is the temporary file of an atomic write."""
    return _LEFTOVER.fullmatch(path.name) is not None


def check_writable(path: Path, folder: Path | None = None) -> None:
    """Refuses a file, or the files of a folder, that could not be written at the end of a run.

    Its folder is made if there is none.
    """
    if folder is None and path.is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    folder = folder or path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, which is made if there is none.

    What a killed process left half written in it is removed. The system releases the lock when the
    process ends in any way. Raises ValueError if another process, or another part of this one,
    holds it.
    """
    path = folder / LOCK_NAME
    # The thread that lets a folder go need not be the one that took it.
    lock = FileLock(path, timeout=0, thread_local=False)
    try:
        with errors_name(path):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
    except Timeout:
        raise ValueError(
            f"{folder} is in use by another process: wait until it ends, or end it; then try again"
        ) from None
    try:
        remove_leftovers(folder)
        yield
    finally:
        # It may be gone with its folder; Windows keeps a file that is open.
        with suppress(OSError):
            path.unlink()
        lock.release()
