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
from typing import Any
from unittest.mock import patch

import numba
import numpy as np
from numba import cuda as _cuda

from mindup_agents.cuda import features
from mindup_env import GameConfig
from mindup_env.cuda import arrays, env
from mindup_env.cuda.env import CudaBatchEnv

cuda: Any = _cuda  # Numba publishes no types for it

_GAMES = 8
_CONFIG = GameConfig(num_objectives=2)
_IN_THE_REPORT = r"Used (\d+) registers", r"(\d+) bytes stack frame", r"(\d+) bytes spill"
"""What ``ptxas`` says of a thread: its registers, its memory, and registers kept in memory."""

Launches = dict[str, tuple[Callable[..., None], tuple[Any, ...]]]
"""The function of each kernel by its name, and its arguments."""


@contextmanager
def host_arrays() -> Iterator[Launches]:
    """Makes environments keep their arrays on the host, and launch nothing: that is recorded."""
    launches: Launches = {}

    def record(kernel: Any, _grid: Any, *arguments: Any, **_options: Any) -> Callable[..., None]:
        launches[kernel.py_func.__name__] = kernel.py_func, arguments
        return lambda *_: None

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
        for module in (env, features):
            patches.enter_context(patch.object(module, "Launch", record))
        yield launches


def recorded_launches() -> Launches:
    """All that an environment launches, each kernel once, with arrays of NumPy as arguments."""
    with host_arrays() as launches:
        environment: Any = CudaBatchEnv(_CONFIG, _GAMES, device="cuda")
        environment.reset(seed=1)
        environment.step(np.zeros((_GAMES, _CONFIG.num_players), np.int64))
        environment.state()
        environment.get_state([0, 1])
        for name in features.ENCODERS:
            features.CudaFeatures(environment, name)
    return launches


def ptx_of(function: Callable[..., None], arguments: tuple[Any, ...], capability: Any) -> str:
    """The assembly language of a kernel.

    A process can ask for one capability: Numba keeps the functions that kernels call.
    """

    class Device:
        compute_capability = capability

    signature = numba.void(*map(numba.typeof, arguments))
    # A function that a kernel calls is compiled for the device at hand, of which there is none.
    with patch("numba.cuda.dispatcher.get_current_device", Device):
        text: str = cuda.compile(
            function, signature, cc=capability, device=False, abi="numba", output="ptx"
        )[0]
    return text


def report_of(ptx: str, folder: Path, arch: str) -> str:
    """What ``ptxas`` says of a kernel."""
    (folder / "kernel.ptx").write_text(ptx)
    (assembler,) = (found for path in sys.path for found in Path(path).glob("nvidia/*/bin/ptxas"))
    words: list[str | Path] = [assembler, "-v", f"-arch={arch}"]
    words += ["-o", folder / "kernel.cubin", folder / "kernel.ptx"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stderr


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.ptx", description=__doc__)
    parser.add_argument("--capability", default="9.0", help="of the GPU (default %(default)s)")
    major, minor = map(int, parser.parse_args(words).capability.split("."))
    print("| kernel | registers | stack | spilled | fused |\n| --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as folder:
        for kernel, (function, arguments) in recorded_launches().items():
            ptx = ptx_of(function, arguments, (major, minor))
            said = report_of(ptx, Path(folder), f"sm_{major}{minor}")
            needs = [sum(map(int, re.findall(pattern, said))) for pattern in _IN_THE_REPORT]
            # A fused multiplication and addition has one rounding, unlike on the CPU.
            needs.append(ptx.count("fma.rn"))
            print(f"| `{kernel}` | {' | '.join(map(str, needs))} |", flush=True)


if __name__ == "__main__":
    main()
