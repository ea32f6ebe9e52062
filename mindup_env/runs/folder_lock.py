"""A lock on a folder, so that one process at a time writes to it.

The system releases the lock of a process that ends in any way.
"""

import errno
import os
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from mindup_env.runs.files import errors_name

LOCK_NAME = ".lock"
_HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
_NO_LOCKS = {errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_BEYOND_TEXT = 2**20
"""The locked byte: on Windows, others cannot read a byte that is locked."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, which is made if there is none.

    Raises:
        ValueError: if another process, or another thread of this one, holds the lock.
    """
    path = folder / LOCK_NAME
    with errors_name(path):
        folder.mkdir(parents=True, exist_ok=True)
        file = _open_locked(path)
    with file:
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        file.flush()
        try:
            yield
        finally:
            # It may be gone with its folder; Windows keeps a file that is open.
            with suppress(OSError):
                path.unlink()


def _open_locked(path: Path) -> BinaryIO:
    """The lock file, locked and empty."""
    while True:
        path.touch()
        file = path.open("r+b")
        try:
            _lock(file, path)
            if _is_current(file, path):
                file.truncate(0)
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        _lock_now(file)
    except OSError as error:
        if error.errno in _HELD:
            raise ValueError(
                f"{path.parent} is in use by {_holder(file)}: wait until it ends, or end it; "
                "then try again"
            ) from None
        if error.errno not in _NO_LOCKS:
            raise
        warnings.warn(
            f"{path.parent} is on a file system without locks: make sure that no other process "
            "writes to this folder",
            stacklevel=2,
        )


def _is_current(file: BinaryIO, path: Path) -> bool:
    """Whether it is still the lock file: another process may have removed it before the lock."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _holder(file: BinaryIO) -> str:
    text = file.read(200).decode("utf-8", "replace").strip()
    return text or "another process"


if sys.platform == "win32":
    import msvcrt

    def _lock_now(file: BinaryIO) -> None:
        file.seek(_BEYOND_TEXT)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock_now(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
