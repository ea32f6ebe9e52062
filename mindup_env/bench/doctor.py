"""Check the installation: report versions, speed and problems."""

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

from mindup_env.batch_env.devices import CPU, find_device, list_devices
from mindup_env.bench import engine as bench
from mindup_env.engine.compiler import cache_folder

# Numba's published types do not include its settings.
_settings: Any = numba.config

_DISTRIBUTION = "mindup-env"
_PLAYERS, _GAMES = 4, 1024
_THREADS = "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
_EXACTLY = re.compile(r"gymnasium *== *([\w.]+)")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="time to measure the speed (default %(default)s)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for line in (*installed(), *machine(), *devices()):
        print(line)
    (row,) = bench.measure([_PLAYERS], [_GAMES], arguments.seconds)
    print(
        f"speed           {row.decisions_per_second:,.0f} decisions/s: random play in the engine, "
        f"{_PLAYERS} players, {_GAMES} games, one core"
    )
    for check in CHECKS:
        if problem := check():
            print(f"{'note':15} {problem}")
    return 0


def installed() -> Iterator[str]:
    """The versions of the dependencies and of each extra, or how to install what is missing."""
    yield f"{_DISTRIBUTION:15} {version(_DISTRIBUTION)}, with Python {platform.python_version()}"
    for extra, names in needs().items():
        if extra == "dev":
            continue  # only for the development of the package
        missing = [name for name in names if _version(name) is None]
        label = f"extra {extra}" if extra else "required"
        if missing:
            yield f"{label:15} missing {', '.join(missing)}: pip install '{_install(extra)}'"
        else:
            yield f"{label:15} {', '.join(f'{name} {_version(name)}' for name in names)}"


def _install(extra: str) -> str:
    return f"{_DISTRIBUTION}[{extra}]" if extra else _DISTRIBUTION


def needs() -> dict[str, list[str]]:
    """The distributions of each extra; those under the empty name are always required."""
    found: dict[str, list[str]] = {}
    for text in requires(_DISTRIBUTION) or ():
        name = re.match(r"[\w.-]+", text)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", text)
        if name and name[0] != _DISTRIBUTION:
            found.setdefault(extra[1] if extra else "", []).append(name[0])
    return found


def machine() -> Iterator[str]:
    yield f"{'machine':15} {platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
    set_ = [f"{name}={os.environ[name]}" for name in _THREADS if name in os.environ]
    limits = ", ".join(set_) if set_ else "no limit in the environment"
    yield f"{'threads':15} {_settings.NUMBA_NUM_THREADS} for Numba; {limits}"
    folder = _cache()
    yield f"{'compiled code':15} {f'cached in {folder}' if folder else 'not cached'}"


def devices() -> Iterator[str]:
    """Each device besides the CPU, or why no games can be played on it."""
    for name in list_devices():
        if name != CPU:
            device = find_device(name)
            problem = device.find_problem()
            said = f"not used: {problem}" if problem else device.describe()
            yield f"{f'device {name}':15} {said}"


def _cache() -> Path | None:
    return cache_folder(("mindup_env",))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _uncompiled() -> str | None:
    if _settings.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set: without compiled code, all is hundreds of times slower"
    return None


def _no_cache() -> str | None:
    if _cache() is None:
        return (
            "no folder for compiled code is writable, so every start compiles for about ten "
            "seconds; set NUMBA_CACHE_DIR to a writable folder"
        )
    return None


def _gymnasium_for_rllib() -> str | None:
    ray, gymnasium = _version("ray"), _version("gymnasium")
    required = ray and next(filter(None, map(_EXACTLY.match, requires("ray") or ())), None)
    if required and gymnasium != required[1]:
        return (
            f"ray {ray} requires gymnasium {required[1]}, but {gymnasium} is installed: RLlib may "
            "fail. Use a separate environment for it, or install that version; mindup-env works "
            "with both"
        )
    return None


def _two_pygames() -> str | None:
    if _version("pygame") and _version("pygame-ce"):
        return "pygame and pygame-ce are both installed, into the same folder: uninstall pygame"
    return None


def _no_display() -> str | None:
    if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ}:
        return 'no display found: render_mode="human" has no window; "rgb_array" works'
    return None


CHECKS: list[Callable[[], str | None]] = [
    _uncompiled,
    _no_cache,
    _gymnasium_for_rllib,
    _two_pygames,
    _no_display,
]
"""Each returns a problem in words, or None."""
