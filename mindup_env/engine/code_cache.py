"""Compiled functions on disk, which are checked when they are read.

Numba's own cache trusts its files. A truncated one ends an import with an error, and one with a
damaged byte may be loaded and crash later, so each file here begins with a hash of the rest. The
files are pickles, which can run any code: they are read only if no other user can write them.
"""

import hashlib
import os
import pickle
import stat
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

# Numba publishes no types for these.
_rebuild: Any = CompileResult._rebuild
_dumps: Any = dumps

_DIGEST_SIZE = 32
_INTRINSIC = "llvm."
_PRIVATE = 0o700
_OTHERS_CAN_WRITE = stat.S_IWGRP | stat.S_IWOTH


class KernelCache(NullCache):
    """The compiled code of one function, in a file for each signature.

    The folder is for functions of the same sources, versions and settings alone.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        self._stem = name.replace("<", "").replace(">", "")
        self._folder = folder

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature; None if it has to be compiled."""
        key = sig, target_context.codegen().magic_tuple()  # the second is the processor
        pickled = read_checked(self._path(key))
        if pickled is None:
            return None
        found, externals, payload = pickle.loads(pickled)  # noqa: S301  # private and intact
        if found != key:
            return None
        # Numba's own cache prepares Numba to compile, which takes as long as its import. Without
        # that, some functions of its runtime have no address; code that calls none needs none.
        if not all(map(llvm.address_of_symbol, externals)):
            target_context.refresh()
        return _rebuild(target_context, *payload)

    def save_overload(self, sig: Any, result: Any) -> None:
        # Such code has addresses of this process; Numba's own cache leaves it out too.
        if result.library.has_dynamic_globals or result.lifted:
            return
        key = sig, result.codegen.magic_tuple()
        functions = result.library._final_module.functions
        externals = [each.name for each in functions if each.is_declaration]
        externals = [name for name in externals if not name.startswith(_INTRINSIC)]
        write_checked(self._path(key), _dumps((key, externals, result._reduce())))

    def _path(self, key: tuple[Any, ...]) -> Path:
        digest = hashlib.blake2b(repr(key).encode(), digest_size=16).hexdigest()
        return self._folder / f"{self._stem}.{digest}.code"


def read_checked(path: Path) -> bytes | None:
    """What ``write_checked`` wrote; None if there is no such file, or it cannot be trusted."""
    try:
        with path.open("rb") as file:
            if not _is_private(os.fstat(file.fileno())):
                warn_once(f"compiled code in {path.parent} is not used: others can write it")
                return None
            digest, data = file.read(_DIGEST_SIZE), file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        warn_once(f"cannot read compiled code in {path.parent}: {error.strerror}")
        return None
    if digest != _digest(data):
        warn_once(f"compiled code in {path.parent} is damaged; it is compiled again")
        return None
    return data


def write_checked(path: Path, data: bytes) -> None:
    """Writes ``data`` in one atomic step for this user alone, or warns that it cannot."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_digest(data) + data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        warn_once(
            f"cannot write compiled code to {path.parent}, so that every process compiles it "
            f"again: {error.strerror}"
        )


def make_private_folder(folder: Path) -> bool:
    """Makes the folder if there is none; false if it is not writable by this user alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        tempfile.TemporaryFile(dir=folder).close()
        return _is_private(folder.stat())
    except OSError:
        return False


@cache
def warn_once(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_SIZE).digest()


def _is_private(status: os.stat_result) -> bool:
    """True on a system without owners, such as Windows: its user folders are private."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_CAN_WRITE
