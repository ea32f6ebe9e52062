"""The GPU: whether it can be used, arrays in its memory, and kernels to launch."""

import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import cuda as _cuda

# Numba publishes no types for these.
settings: Any = numba.config
cuda: Any = _cuda
jit: Callable[[Callable[..., None]], Any] = cuda.jit

SIMULATED: bool = bool(settings.ENABLE_CUDASIM)
"""Whether Numba runs kernels in Python, thread by thread: slowly, and without a GPU."""

DeviceArray = Any
"""An array of Numba in device memory; in the simulator an array of NumPy."""

THREADS = 4 if SIMULATED else 128
"""Threads of a block, where each thread has a game of its own. The simulator starts all of them."""
LANES = 1 if SIMULATED else 32
"""The threads of a warp. The simulator runs a thread at a time, so one is as good."""


def find_problem() -> str | None:
    """Why no game can be played on a GPU, and what to do; None if it can."""
    if find_spec("torch") is None or (find_spec("numba_cuda") is None and not SIMULATED):
        return "it needs numba-cuda and PyTorch: pip install 'mindup-env[cuda]'"
    if bool(settings.DISABLE_JIT) != SIMULATED:
        return "the simulator needs NUMBA_DISABLE_JIT=1, and a GPU must not have it"
    torch = load_torch()
    if not (SIMULATED or torch.cuda.is_available()):
        return f"PyTorch {torch.__version__} finds no GPU that it can use"
    return None


def describe() -> str:
    """The name of the GPU; or that it is simulated."""
    return "simulated by Numba" if SIMULATED else str(load_torch().cuda.get_device_name())


def load_torch() -> Any:
    """PyTorch, which takes seconds to load: only where it is used."""
    return import_module("torch")


def replace(function: Callable[..., Any], on_device: Callable[..., Any]) -> None:
    """Compiles kernels with ``on_device`` in the place of a function that CPUs compile too."""
    if find_spec("numba_cuda") and not SIMULATED:
        cuda.extending.overload(function, target="cuda", strict=False)(lambda *_: on_device)


def launcher(kernel: Any, grid: tuple[int, int, int], *arguments: Any) -> Callable[[], None]:
    """Launches a kernel with these arguments, whose types are read only once.

    ``grid`` is the number of blocks, the threads of each, and the bytes of shared memory of each.
    """
    blocks, threads, shared = grid
    with warnings.catch_warnings():
        # Numba's advice to use more threads; how many games there are is a user's choice.
        warnings.filterwarnings("ignore", ".*Grid size")
        return partial(kernel.specialize(*arguments)[blocks, threads, 0, shared], *arguments)


# Arrays. Copies between host and device are rare, and wait for all that was launched before.


def empty(shape: tuple[int, ...], dtype: Any = np.int64, order: str = "C") -> DeviceArray:
    if SIMULATED:
        return np.zeros(shape, dtype, order)  # type: ignore[call-overload]
    return cuda.device_array(shape, dtype, order=order)


def like(fields: Any, num_games: int, order: str = "C") -> Any:
    """Arrays for ``num_games`` games with the types and shapes of those in a named tuple."""
    made = [empty((num_games, *each.shape[1:]), each.dtype, order) for each in fields]
    return type(fields)(*made)


def to_device(value: Any) -> Any:
    """A copy of an array on the device; other values as they are."""
    if SIMULATED or not isinstance(value, np.ndarray):
        return value
    return cuda.to_device(np.ascontiguousarray(value))


def write(target: DeviceArray, values: npt.NDArray[Any]) -> None:
    """Copies values of the host into an array."""
    if SIMULATED:
        target[...] = values
    else:
        cuda.synchronize()
        target.copy_to_device(values)


def to_host(array: DeviceArray) -> npt.NDArray[Any]:
    cuda.synchronize()
    copied: npt.NDArray[Any] = array.copy() if SIMULATED else array.copy_to_host()
    return copied


def as_tensor(array: DeviceArray) -> Any:
    """A tensor that shares the memory of an array."""
    torch = load_torch()
    return torch.from_numpy(array) if SIMULATED else torch.as_tensor(array, device="cuda")
