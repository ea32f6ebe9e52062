"""A lock on a folder, so that one process at a time writes to it.

The system releases the lock of a process that ends in any way.
"""

import errno
import os
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from mindup_env.runs.files import errors_name

LOCK_NAME = ".lock"
_HOLDER_AT = 1
"""Where the lock file names its holder: Windows locks the first byte, which others cannot read."""
_NO_LOCKS = {errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, which is made if there is none.

    Raises:
        ValueError: if another process, or another part of this one, holds the lock.
    """
    path = folder / LOCK_NAME
    # The thread that lets a folder go need not be the one that took it.
    lock = FileLock(path, timeout=0, thread_local=False, fallback_to_soft=False)
    with errors_name(path):
        folder.mkdir(parents=True, exist_ok=True)
        _acquire(lock, path)
    try:
        yield
    finally:
        # It may be gone with its folder; Windows keeps a file that is open.
        with suppress(OSError):
            path.unlink()
        lock.release()


def _acquire(lock: FileLock, path: Path) -> None:
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(
            f"{path.parent} is in use by {_holder(path)}: wait until it ends, or end it; then try "
            "again"
        ) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        warnings.warn(
            f"{path.parent} is on a file system without locks: make sure that no other process "
            "writes to this folder",
            stacklevel=2,
        )
        return
    with path.open("r+b", buffering=0) as file:
        file.truncate(_HOLDER_AT)
        file.seek(_HOLDER_AT)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())


def _holder(path: Path) -> str:
    with suppress(OSError), path.open("rb", buffering=0) as file:
        file.seek(_HOLDER_AT)
        if text := file.read(200).decode("utf-8", "replace").strip():
            return text
    return "another process"
