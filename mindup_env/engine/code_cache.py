"""Keeps the compiled code of kernels on disk, in a folder for the sources that it comes from.

Numba's own cache sees no edit in another file than the kernel's, and two processes that save code
of one kernel at once can mix it up. Here each signature has a file of its own.
"""

import hashlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

# Numba publishes no types for these.
_rebuild: Any = CompileResult._rebuild
_dumps: Any = dumps
_settings: Any = numba.config


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
        return _rebuild(target_context, *pickle.loads(path.read_bytes()))  # noqa: S301  # private

    def save_overload(self, sig: Any, result: Any) -> None:
        path = self._path(sig, result.target_context)
        if path is None:
            return
        try:
            with NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(_dumps(result._reduce()))
            Path(file.name).replace(path)
        except OSError as error:
            _warn(f"compiled code cannot be kept in {path.parent}: {error.strerror}")

    def _path(self, sig: Any, target_context: Any) -> Path | None:
        function, code = self._function, self._function.__code__
        # No source shows the values that a function takes from an enclosing one.
        folder = None if function.__closure__ else cache_folder(packages_of(function))
        processor = target_context.codegen().magic_tuple()
        key = repr((function.__module__, code.co_firstlineno, sig, processor))
        return folder and folder / f"{code.co_name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def packages_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The packages with the compiled functions that a kernel calls, and its own."""
    packages, functions = {__name__.partition(".")[0]}, [function]
    for each in functions:
        packages.add(each.__module__.partition(".")[0])
        names = each.__code__.co_names
        values = [each.__globals__.get(name) for name in names]
        modules = [value for value in values if isinstance(value, ModuleType)]
        values += [getattr(module, name, None) for module in modules for name in names]
        called = {value.py_func for value in values if isinstance(value, Dispatcher)}
        functions += called.difference(functions)
    return tuple(sorted(packages))


@cache
def cache_folder(packages: tuple[str, ...]) -> Path | None:
    """The folder for code from these packages, as their sources are; None if there is none."""
    settings = numba.__version__, _settings.OPT, _settings.BOUNDSCHECK
    digest = hashlib.sha256(repr((sys.implementation.cache_tag, *settings)).encode())
    for package in packages:
        roots = getattr(sys.modules[package], "__path__", ())
        sources = [path for root in roots for path in sorted(Path(root).rglob("*.py"))]
        if not sources:  # a script, a notebook, or an installation without sources
            return None
        for path in sources:
            digest.update(path.name.encode() + path.read_bytes())
    for place in _places():
        folder = place / f"mindup-{digest.hexdigest()[:16]}"
        if make_private(folder):
            return folder
    _warn(
        "every process compiles again: only this user must be able to write to "
        f"{' or '.join(map(str, _places()))}; NUMBA_CACHE_DIR sets another folder"
    )
    return None


def _places() -> Iterator[Path]:
    if _settings.CACHE_DIR:
        yield Path(_settings.CACHE_DIR)
    else:
        yield Path(__file__).parent / "__pycache__"
        with suppress(RuntimeError):  # a user without a home
            yield Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "mindup_env").expanduser()


def make_private(folder: Path) -> bool:
    """Makes a folder; false if others can write to it, as they could run any code by its files."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):  # on Windows, the folders of a user are private
        return True
    is_own = status.st_uid == os.geteuid() and os.access(folder, os.W_OK)
    return is_own and status.st_mode & 0o022 == 0


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)
