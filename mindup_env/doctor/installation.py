"""Check the installation, measure the speed, or check a program that is a bot.

Group: inspect
Example: mindup doctor
"""

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import requires, version
from typing import Any

import numba

from mindup_env.batch_env.devices import CPU, find_device, list_devices
from mindup_env.doctor import engine
from mindup_env.doctor.speed import BenchSettings
from mindup_env.engine.compiler import cache_folder
from mindup_env.runs.fingerprints import installed_version
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import settings

# Numba's published types do not include its settings.
_settings: Any = numba.config

_DISTRIBUTION = "mindup-env"
_PLAYERS, _GAMES = 4, 1024
_THREADS = "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
_EXACTLY = re.compile(r"gymnasium *== *([\w.]+)")


@settings
class DoctorSettings(BenchSettings):
    """The settings of ``mindup doctor``."""

    seconds: float = 5.0


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, DoctorSettings, names=["seconds"])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    seconds = DoctorSettings(**given_options(arguments, DoctorSettings)).seconds
    for label, text in (*installed(), *machine(), *devices()):
        print(f"{label:15} {text}")
    speed = engine.measure_one(_PLAYERS, _GAMES, seconds).decisions_per_second
    print(
        f"speed           {speed:,.0f} decisions/s: random play in the engine, {_PLAYERS} players, "
        f"{_GAMES} games, one core"
    )
    for problem in problems():
        print(f"{'note':15} {problem}")
    return 0


def installed() -> Iterator[tuple[str, str]]:
    """The versions of the dependencies and of each extra, or how to install what is missing."""
    yield _DISTRIBUTION, f"{version(_DISTRIBUTION)}, with Python {platform.python_version()}"
    for extra, names in needs().items():
        if extra == "dev":
            continue  # only for the development of the package
        missing = [name for name in names if installed_version(name) is None]
        text = ", ".join(f"{name} {installed_version(name)}" for name in names)
        if missing:
            install = f"{_DISTRIBUTION}[{extra}]" if extra else _DISTRIBUTION
            text = f"missing {', '.join(missing)}: pip install '{install}'"
        yield f"extra {extra}" if extra else "required", text


def needs() -> dict[str, list[str]]:
    """The distributions of each extra; those under the empty name are always required."""
    found: dict[str, list[str]] = {}
    for text in requires(_DISTRIBUTION) or ():
        name = re.match(r"[\w.-]+", text)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", text)
        if name and name[0] != _DISTRIBUTION:
            found.setdefault(extra[1] if extra else "", []).append(name[0])
    return found


def machine() -> Iterator[tuple[str, str]]:
    yield "machine", f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
    limits = [f"{name}={os.environ[name]}" for name in _THREADS if name in os.environ]
    limited = ", ".join(limits) or "no limit in the environment"
    yield "threads", f"{_settings.NUMBA_NUM_THREADS} for Numba; {limited}"
    folder = cache_folder(("mindup_env",))
    yield "compiled code", f"cached in {folder}" if folder else "not cached"


def devices() -> Iterator[tuple[str, str]]:
    """Each device besides the CPU, or why no games can be played on it."""
    for name in list_devices():
        if name != CPU:
            device = find_device(name)
            problem = device.find_problem()
            yield f"device {name}", f"not used: {problem}" if problem else device.describe()


def problems() -> Iterator[str]:
    """What is in the way, and how to remove it."""
    if _settings.DISABLE_JIT:
        yield "NUMBA_DISABLE_JIT is set: without compiled code, all is hundreds of times slower"
    if cache_folder(("mindup_env",)) is None:
        yield (
            "no folder for compiled code is writable, so every start compiles for about ten "
            "seconds; set NUMBA_CACHE_DIR to a writable folder"
        )
    ray, gymnasium = installed_version("ray"), installed_version("gymnasium")
    required = ray and next(filter(None, map(_EXACTLY.match, requires("ray") or ())), None)
    if required and gymnasium != required[1]:
        yield (
            f"ray {ray} requires gymnasium {required[1]}, but {gymnasium} is installed: RLlib may "
            "fail. Use a separate environment for it, or install that version; mindup-env works "
            "with both"
        )
    if installed_version("pygame") and installed_version("pygame-ce"):
        yield "pygame and pygame-ce are both installed, into the same folder: uninstall pygame"
    if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ}:
        yield 'no display found: render_mode="human" has no window; "rgb_array" works'
