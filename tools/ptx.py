"""Compiles the kernels for GPUs, and prints what each needs: ``python -m tools.ptx``.

No GPU is needed: Numba writes PTX, the assembly language of NVIDIA's GPUs, and NVIDIA's assembler
``ptxas`` says how many registers a thread takes and how much it keeps in memory instead. Both come
with ``pip install 'mindup-env[cuda]'``.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numba
import numpy as np
from numba import cuda as _cuda

from mindup_agents.cuda import features
from mindup_env import GameConfig
from mindup_env.cuda import arrays, device_games, env
from mindup_env.cuda.env import CudaBatchEnv

cuda: Any = _cuda  # Numba publishes no types for it

_GAMES = 8


class Recorded:
    """Stands in for ``Launch``: keeps the kernel and its arguments."""

    def __init__(self, kernel: Any, _grid: Any, *arguments: Any, **_options: Any) -> None:
        self.kernel, self.arguments = kernel, arguments
        self.name: str = kernel.py_func.__name__
        _recorded.append(self)

    def __call__(self, *_arguments: Any) -> None:
        pass


_recorded: list[Recorded] = []


class Needs(NamedTuple):
    """What a thread of a kernel needs."""

    kernel: str
    registers: int
    stack: int  # bytes of memory
    spilled: int  # bytes of registers that are kept in memory
    fused: int  # multiplications and additions with one rounding, unlike on the CPU


def recorded_launches(config: GameConfig) -> list[Recorded]:
    """All that an environment launches, each kernel once, with arrays of NumPy as arguments."""
    _recorded.clear()
    with host_arrays():
        environment: Any = CudaBatchEnv(config, _GAMES, device="cuda")
        environment.reset(seed=1)
        environment.step(np.zeros((_GAMES, config.num_players), np.int64))
        environment.state()
        environment.get_state([0, 1])
        for name in features.ENCODERS:
            features.CudaFeatures(environment, name)
    return list({launch.name: launch for launch in _recorded}.values())


@contextmanager
def host_arrays() -> Iterator[None]:
    """Makes environments keep their arrays on the host, and launch nothing."""
    instead: dict[str, Callable[..., Any]] = {
        "empty": np.zeros,
        "to_device": np.copy,
        "write": np.copyto,
        "to_host": np.copy,
        "as_tensor": np.asarray,
        "as_array": np.asarray,
        "read_actions": lambda given, _shape: given,
    }
    with ExitStack() as patches:
        for name, function in instead.items():
            patches.enter_context(patch.object(arrays, name, function))
        patches.enter_context(patch.object(env, "find_problem", lambda: None))
        for module in (device_games, features):
            patches.enter_context(patch.object(module, "Launch", Recorded))
        yield


def write_ptx(folder: Path, capability: tuple[int, int]) -> list[Path]:
    """Writes a file for each kernel.

    A process can do so for one capability: Numba keeps the functions that kernels call.
    """

    class Device:
        compute_capability = capability

    # A function that a kernel calls is compiled for the device at hand, of which there is none.
    with patch("numba.cuda.dispatcher.get_current_device", Device):
        files = []
        for launch in recorded_launches(GameConfig(num_objectives=2)):
            signature = numba.void(*map(numba.typeof, launch.arguments))
            text, _ = cuda.compile(
                launch.kernel.py_func,
                signature,
                cc=capability,
                device=False,
                abi="numba",
                output="ptx",
            )
            files.append(folder / f"{launch.name}.ptx")
            files[-1].write_text(text)
    return files


def needs_of(path: Path, capability: tuple[int, int]) -> Needs:
    """What the machine code of a kernel needs, as ``ptxas`` says."""
    (assembler,) = (
        found for folder in sys.path for found in Path(folder).glob("nvidia/*/bin/ptxas")
    )
    arch = "-arch=sm_{}{}".format(*capability)
    words: list[str | Path]
    words = [assembler, "-v", arch, "-o", path.with_suffix(".cubin"), path]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stderr

    def number(pattern: str) -> int:
        return sum(map(int, re.findall(pattern, said)))

    return Needs(
        path.stem,
        number(r"Used (\d+) registers"),
        number(r"(\d+) bytes stack frame"),
        number(r"(\d+) bytes spill"),
        path.read_text().count("fma.rn"),
    )


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.ptx", description=__doc__)
    parser.add_argument("--capability", default="9.0", help="of the GPU (default %(default)s)")
    major, minor = map(int, parser.parse_args(words).capability.split("."))
    print("| kernel | registers | stack | spilled | fused |\n| --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as folder:
        for path in write_ptx(Path(folder), (major, minor)):
            kernel, *numbers = needs_of(path, (major, minor))
            print(f"| `{kernel}` | {' | '.join(map(str, numbers))} |", flush=True)


if __name__ == "__main__":
    main()
