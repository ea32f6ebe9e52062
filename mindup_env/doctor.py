"""Tell what is installed, how fast it is, whether compiled code is kept, and what is in the way."""

import argparse
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import numba

from mindup_env.bench import engine as bench
from mindup_env.engine.compiler import cache_folder

# Numba's published types do not know its settings.
_settings: Any = numba.config

_DISTRIBUTION = "mindup-env"
_PLAYERS, _GAMES = 4, 1024
_THREADS = "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
_EXACTLY = re.compile(r"gymnasium *== *([\w.]+)")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="to measure the speed for (default 5)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for line in (*installed(), *surroundings()):
        print(line)
    (row,) = bench.measure([_PLAYERS], [_GAMES], arguments.seconds)
    print(
        f"speed           {row.decisions_per_second:,.0f} decisions/s: random play in the engine, "
        f"{_PLAYERS} players, {_GAMES} games, one core"
    )
    for find in REMARKS:
        if words := find():
            print(f"{'to know':15} {words}")
    return 0


def installed() -> Iterator[str]:
    """The versions of what is needed, and of each extra or how to get it."""
    yield f"{_DISTRIBUTION:15} {version(_DISTRIBUTION)}, with Python {platform.python_version()}"
    for extra, names in needs().items():
        if extra == "dev":
            continue  # of nobody's concern but those who work on the package
        missing = [name for name in names if _version(name) is None]
        what = f"extra {extra}" if extra else "needed"
        if missing:
            yield f"{what:15} without {', '.join(missing)}: pip install '{_install(extra)}'"
        else:
            yield f"{what:15} {', '.join(f'{name} {_version(name)}' for name in names)}"


def _install(extra: str) -> str:
    return f"{_DISTRIBUTION}[{extra}]" if extra else _DISTRIBUTION


def needs() -> dict[str, list[str]]:
    """The distributions of each extra; under the empty name, what is always needed."""
    found: dict[str, list[str]] = {}
    for text in requires(_DISTRIBUTION) or ():
        name = re.match(r"[\w.-]+", text)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", text)
        if name and name[0] != _DISTRIBUTION:
            found.setdefault(extra[1] if extra else "", []).append(name[0])
    return found


def surroundings() -> Iterator[str]:
    yield f"{'machine':15} {platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
    said = [f"{name}={os.environ[name]}" for name in _THREADS if name in os.environ]
    limits = ", ".join(said) if said else "no limit in the environment"
    yield f"{'threads':15} {_settings.NUMBA_NUM_THREADS} for Numba; {limits}"
    folder = _cache()
    yield f"{'compiled code':15} {f'is kept in {folder}' if folder else 'is not kept'}"


def _cache() -> Path | None:
    return cache_folder(("mindup_env",))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _uncompiled() -> str | None:
    if _settings.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set: nothing is compiled, and all is hundreds of times slower"
    return None


def _nothing_kept() -> str | None:
    if _cache() is None:
        return (
            "no folder for compiled code can be written to, so every start compiles anew, for some "
            "ten seconds; set NUMBA_CACHE_DIR to one that can"
        )
    return None


def _gymnasium_for_rllib() -> str | None:
    ray, gymnasium = _version("ray"), _version("gymnasium")
    asked = ray and next(filter(None, map(_EXACTLY.match, requires("ray") or ())), None)
    if asked and gymnasium != asked[1]:
        return (
            f"ray {ray} asks for gymnasium {asked[1]}, and {gymnasium} is installed: RLlib "
            "may fail. Give it an environment of its own, or install that version; mindup-env "
            "works with both"
        )
    return None


def _two_pygames() -> str | None:
    if _version("pygame") and _version("pygame-ce"):
        return "pygame and pygame-ce are both installed, in one folder: uninstall pygame"
    return None


def _no_display() -> str | None:
    if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ}:
        return 'there is no display: render_mode="human" has no window; "rgb_array" works'
    return None


REMARKS: list[Callable[[], str | None]] = [
    _uncompiled,
    _nothing_kept,
    _gymnasium_for_rllib,
    _two_pygames,
    _no_display,
]
"""Each in words, or None where there is nothing to say."""
