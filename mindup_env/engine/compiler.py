"""The decorators that compile the rules, and the folder that caches compiled code.

Numba's own cache checks one file at a time: it would keep using a function after a helper in
another file, or a constant frozen into it, changed. So the cache folder is named by a hash of
every source file that compiled code can come from, and by one of all that compiles it.
"""

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
from numba.extending import overload

from mindup_env.engine.code_cache import KernelCache, make_private_folder, warn_once
from mindup_env.engine.part_compiler import (
    DisjointCompiler,
    PartCompiler,
    ShortLoopCompiler,
    compile_part,
)

F = TypeVar("F", bound=Callable[..., Any])

# Numba's published types know neither all the options of njit nor the settings.
_njit: Any = numba.njit
_settings: Any = numba.config

IS_COMPILED = not _settings.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT=1 lets Python run the functions."""

OWN_SOURCES = {
    "mindup_env": (
        *("agent/random_agent.py", "batch_env", "belief", "cards.py", "config.py"),
        *("engine", "envs/random_bits.py", "objectives.py", "observation"),
        "rewards.py",
    ),
    "mindup_agents": (*("baselines.py", "champion", "heuristics", "search.py"),),
    "mindup_training": ("opponents.py",),
}
"""The folders and files of our packages that compiled code, or a constant in it, can come from.

The packages are in the order of their layers: a function calls only those of its own package and of
the packages before it. In any other package, compiled code can come from every file."""

_CODE_SETTINGS = (
    *("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "DISABLE_INTEL_SVML", "ENABLE_PROFILING"),
    *("EXTEND_VARIABLE_LIFETIMES", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE"),
)
"""Numba's settings that change the code of a function."""

KERNEL_OPTIONS: Any = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
"""Without Numba's runtime (_nrt) nothing compiled can allocate, and no array is reference-counted:
the counting made random play 3.5 times slower."""

PART_OPTIONS: Any = {
    **KERNEL_OPTIONS,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}

_ONE_FOR_ALL_CONSTANTS = "mindup_env."
"""The modules whose functions compile once for all constants. Bots are faster with more."""
_SHORT_LOOPS = "mindup_env.batch_env.", "mindup_env.engine.kernels", "mindup_env.observation."
"""The modules of kernels whose inner loops run over seats, colours or a few cards."""

# Top-level packages with compiled functions, in the order of their import. The functions that a
# function calls are imported before it, so its machine code depends on no later package.
_packages: list[str] = []


def compiled(function: F) -> F:
    """Compiles a function that only compiled functions call; it is inlined into them."""
    return _compiled_part(function, PART_OPTIONS)


def compiled_disjoint(function: F) -> F:
    """Compiles a function as ``compiled`` does; none of its array arguments overlaps another."""
    return _compiled_part(function, {**PART_OPTIONS, "pipeline_class": DisjointCompiler})


def also_compiled(function: F) -> F:
    """Leaves a function to Python, and lets compiled functions call it too."""
    overload(function, strict=False, jit_options=PART_OPTIONS)(lambda *_arguments: function)
    return function


def called(function: F) -> F:
    """Compiles a large function that compiled functions call; not inlined, it compiles once."""
    return _compiled_part(function, {**_options_of(function), "no_cpython_wrapper": True})


def outlined(function: F) -> F:
    """Compiles a function as ``compiled`` does, but not inlined.

    So the code that calls it does not compete with it for registers.
    """
    return _compiled_part(function, {**PART_OPTIONS, "forceinline": False})


def kernel(function: F) -> F:
    """Compiles a function for Python to call, at its first call, and caches it on disk."""
    entry: Any = _njit(**_options_of(function))(function)
    package = _register_package(function)
    if not IS_COMPILED:
        return function
    entry.compile = partial(_compile, entry.compile)
    # No hash covers the values that a function takes from an enclosing one.
    if package is not None and function.__closure__ is None:
        folder = cache_folder(_packages_below(package))
        if folder is not None:
            entry._cache = KernelCache(function, folder)
    return cast("F", entry)


def _compiled_part(function: F, options: Any) -> F:
    _register_package(function)
    part: Any = _njit(**options)(function)
    if IS_COMPILED and function.__module__.startswith(_ONE_FOR_ALL_CONSTANTS):
        part.compile = partial(compile_part, part)
    return cast("F", part)


def _options_of(function: Callable[..., Any]) -> Any:
    if function.__module__.startswith(_SHORT_LOOPS):
        return {**KERNEL_OPTIONS, "pipeline_class": ShortLoopCompiler}
    return KERNEL_OPTIONS


def _compile(compile_: Callable[[Any], Any], signature: Any) -> Any:
    """Compiles without garbage collection, which takes a fifth of the time and frees little."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        return compile_(signature)
    finally:
        if enabled:
            # All new objects become old ones, or the next new one would start a collection of them.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _register_package(function: F) -> str | None:
    """The package of a function; None in a script or a notebook, whose sources no hash covers."""
    package = function.__module__.partition(".")[0]
    if not hasattr(sys.modules[package], "__path__"):
        return None
    if package not in _packages:
        _packages.append(package)
    return package


def _packages_below(package: str) -> tuple[str, ...]:
    """The packages that functions of ``package`` can consist of, itself included."""
    if package not in OWN_SOURCES:
        return tuple(_packages)
    order = list(OWN_SOURCES)
    return tuple(each for each in order[: order.index(package) + 1] if each in _packages)


@cache
def cache_folder(packages: tuple[str, ...]) -> Path | None:
    """The cache folder of functions from the sources of ``packages``; None if none can be used."""
    try:
        name = f"mindup-{source_hash(packages)}-{compiler_hash()}"
    except FileNotFoundError as error:  # an installation without sources, or a file that moved
        warn_once(f"every process compiles the rules again: there is no {error.filename}")
        return None
    bases = list(_cache_bases())
    for base in bases:
        if make_private_folder(base / name):
            return base / name
    warn_once(
        "every process compiles the rules again: only this user must be able to write to "
        f"{' or '.join(map(str, bases))}; NUMBA_CACHE_DIR sets another folder"
    )
    return None


def source_hash(packages: Iterable[str]) -> str:
    """A hash of the sources of ``packages`` that compiled code can come from."""
    digest = hashlib.sha256()
    for package in packages:
        for root in map(Path, sys.modules[package].__path__):
            for path in compiled_sources(package, root):
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_sources(package: str, root: Path) -> list[Path]:
    """The source files of a package in the folder ``root`` that compiled code can come from."""
    found = set()
    for place in OWN_SOURCES.get(package, (".",)):
        path = root / place
        found |= {*path.rglob("*.py")} if path.is_dir() else {path}
    return sorted(found)


def compiler_hash() -> str:
    """A hash of the versions and settings that compiled code depends on."""
    versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__
    settings = [f"{name}={getattr(_settings, name, None)}" for name in _CODE_SETTINGS]
    return hashlib.sha256(" ".join(map(str, [*versions, *settings])).encode()).hexdigest()[:8]


def _cache_bases() -> Iterator[Path]:
    if _settings.CACHE_DIR:
        yield Path(_settings.CACHE_DIR)
        return  # the user chose this folder and no other
    yield Path(__file__).parent / "__pycache__"
    caches = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # a user without a home
        yield (Path(caches) if caches else Path.home() / ".cache") / "mindup_env"
