"""The decorator that compiles the rules, and the folder that keeps what was compiled.

Numba's own cache looks at one file at a time: it would go on using a function after a helper
in another file, or a constant frozen into it, was edited. So the folder it writes to is named
after a hash of every source file that compiled code can come from.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# Numba's published types know neither all the options of njit nor the settings.
_njit: Any = numba.njit
_settings: Any = numba.config

_MARK = b"compile"
"""A source file in which these letters stand counts as one that compiled code comes from."""

_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
"""Without Numba's runtime (_nrt) nothing compiled can allocate, and no array is reference-counted:
the counting made random play 3.5 times slower."""

PART_OPTIONS: Any = {**_OPTIONS, "forceinline": True, "no_cpython_wrapper": True}

# Top-level packages with compiled functions, in the order of their import. What a function calls
# is imported before it, so these are all the packages its machine code may depend on.
_packages: list[str] = []


def compiled(function: F) -> F:
    """Compiles a function that only other compiled functions call: it becomes part of them."""
    _register_package(function)
    part: F = _njit(**PART_OPTIONS)(function)
    return part


def called(function: F) -> F:
    """Compiles a large function that compiled functions call: it stays one, and compiles once."""
    _register_package(function)
    part: F = _njit(**_OPTIONS, no_cpython_wrapper=True)(function)
    return part


def kernel(function: F) -> F:
    """Compiles a function for Python to call, at its first call, and keeps it on disk."""
    folder = cache_folder(tuple(_packages)) if _register_package(function) else None
    users_folder = _settings.CACHE_DIR
    # Numba asks for the folder only while it decorates; other people's functions keep theirs.
    _settings.CACHE_DIR = str(folder or users_folder)
    try:
        entry: F = _njit(**_OPTIONS, cache=folder is not None)(function)
    finally:
        _settings.CACHE_DIR = users_folder
    return entry


def _register_package(function: F) -> bool:
    """False for a function of a script or a notebook, whose sources no hash would cover."""
    package = function.__module__.partition(".")[0]
    if not hasattr(sys.modules[package], "__path__"):
        return False
    if package not in _packages:
        _packages.append(package)
    return True


@cache
def cache_folder(packages: tuple[str, ...]) -> Path | None:
    """The folder for functions made of the sources of ``packages``; None where none can be had."""
    roots = [Path(folder) for package in packages for folder in sys.modules[package].__path__]
    name = f"mindup-{source_hash(roots)}"
    for base in _cache_bases():
        if _can_write(base / name):
            return base / name
    return None


def source_hash(roots: list[Path]) -> str:
    """Changes whenever a source under ``roots`` that goes into compiled code does."""
    digest = hashlib.sha256()
    for root in roots:
        for path in compiled_sources(root):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_sources(root: Path) -> list[Path]:
    return [path for path in sorted(root.rglob("*.py")) if _MARK in path.read_bytes()]


def _cache_bases() -> Iterator[Path]:
    if _settings.CACHE_DIR:
        yield Path(_settings.CACHE_DIR)
        return  # the user has said where, and so where not
    yield Path(__file__).parent / "__pycache__"
    caches = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # a user without a home
        yield (Path(caches) if caches else Path.home() / ".cache") / "mindup_env"


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
