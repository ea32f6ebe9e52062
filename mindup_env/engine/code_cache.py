"""Keeps the compiled code of kernels on disk, in a folder for the sources that it comes from.

Numba's own cache sees no edit in another file than the kernel's, and two processes that save code
of one kernel at once can mix it up. Here each signature has a file of its own.
"""

import hashlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.misc.appdirs import user_cache_dir

from mindup_env.files import atomic_write

# Numba publishes no types for these.
_rebuild: Any = CompileResult._rebuild
_dumps: Any = dumps
_settings: Any = numba.config
_user_cache_dir: Any = user_cache_dir


class KernelCache(NullCache):
    """The code of one kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None if it has to be compiled."""
        path = self._path(sig, target_context)
        if path is None or not path.exists():
            return None
        # Numba's own cache prepares Numba to compile, which takes as long as its import. Code
        # without Numba's runtime needs nothing of that.
        try:
            kept = pickle.loads(path.read_bytes())  # noqa: S301  # of a private folder
        except Exception:  # noqa: BLE001  # a damaged file, which the next one replaces
            return None
        return _rebuild(target_context, *kept)

    def save_overload(self, sig: Any, result: Any) -> None:
        if path := self._path(sig, result.target_context):
            try:
                with atomic_write(path) as file:
                    file.write(_dumps(result._reduce()))
            except OSError as error:
                _warn(f"{path.parent}: {error.strerror}")

    def _path(self, sig: Any, target_context: Any) -> Path | None:
        function = self._function
        code = function.__code__
        # No source shows the values that a function takes from an enclosing one.
        folder = None if function.__closure__ else cache_folder(packages_of(function))
        processor = target_context.codegen().magic_tuple()
        key = repr((function.__module__, code.co_firstlineno, sig, processor))
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        return folder and folder / f"{code.co_name}-{digest}"


def packages_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The packages of a kernel, and of the compiled functions that its module imports by name."""
    imported = [each for each in function.__globals__.values() if isinstance(each, Dispatcher)]
    modules = [__name__, *(each.__module__ for each in (function, *imported))]
    return tuple(sorted({module.partition(".")[0] for module in modules}))


@cache
def cache_folder(packages: tuple[str, ...]) -> Path | None:
    """The folder for code from these packages, as their sources are; None if there is none."""
    settings = sys.implementation.cache_tag, numba.__version__, _settings.OPT, _settings.BOUNDSCHECK
    digest = hashlib.sha256(repr(settings).encode())
    for package in packages:
        roots = getattr(sys.modules[package], "__path__", ())
        sources = [path for root in roots for path in sorted(Path(root).rglob("*.py"))]
        if not sources:  # a script, a notebook, or an installation without sources
            return None
        for path in sources:
            digest.update(path.name.encode() + path.read_bytes())
    parents = [Path(__file__).parent / "__pycache__", Path(_user_cache_dir("mindup_env"))]
    if _settings.CACHE_DIR:
        parents = [Path(_settings.CACHE_DIR)]
    for parent in parents:
        folder = parent / f"mindup-{digest.hexdigest()[:16]}"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            status = folder.lstat()
            # Others who can write its files could run any code by them.
            if os.name == "nt" or (status.st_uid, status.st_mode & 0o022) == (os.geteuid(), 0):
                return folder
    _warn(f"only this user must be able to write to {' or '.join(map(str, parents))}")
    return None


def _warn(problem: str) -> None:
    warnings.warn(
        f"every process compiles again: {problem}; NUMBA_CACHE_DIR sets another folder",
        RuntimeWarning,
        stacklevel=3,
    )
