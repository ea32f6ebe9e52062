"""The GPU: whether it can be used, arrays in its memory, and kernels to launch."""

import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import cuda as _cuda

# Numba publishes no types for these.
settings: Any = numba.config
cuda: Any = _cuda

SIMULATED: bool = bool(settings.ENABLE_CUDASIM)
"""Whether Numba runs kernels in Python, thread by thread: slowly, and without a GPU."""

DeviceArray = Any
"""An array of Numba in device memory; in the simulator an array of NumPy."""

Fields = TypeVar("Fields", bound=tuple[Any, ...])

_THREADS = 4 if SIMULATED else 128
"""Threads of a block, where each thread has a game of its own. The simulator starts all of them."""


def find_problem() -> str | None:
    """What is in the way, and how to remove it; None if games can be played on a GPU."""
    if find_spec("torch") is None or (find_spec("numba_cuda") is None and not SIMULATED):
        return "it needs numba-cuda and PyTorch: pip install 'mindup-env[cuda]'"
    if bool(settings.DISABLE_JIT) != SIMULATED:
        return "NUMBA_DISABLE_JIT=1 goes with NUMBA_ENABLE_CUDASIM=1, and not with a GPU"
    torch = load_torch()
    if not (SIMULATED or torch.cuda.is_available()):
        return f"PyTorch {torch.__version__} finds no GPU that it can use"
    return None


def describe() -> str:
    """The GPU and the library that drives it; or that it is simulated."""
    if SIMULATED:
        return "simulated by Numba in Python"
    return f"{load_torch().cuda.get_device_name()}, numba-cuda {version('numba-cuda')}"


def load_torch() -> Any:
    """PyTorch, which takes seconds to load: only where it is used."""
    return import_module("torch")


def kernel(python: Callable[..., None]) -> Any:
    """What is launched on the device."""
    return cuda.jit(python)


def replace(function: Callable[..., Any], on_device: Callable[..., Any]) -> None:
    """Compiles kernels with ``on_device`` in the place of a function that CPUs compile too."""
    if find_spec("numba_cuda") and not SIMULATED:
        decorate = cuda.extending.overload(function, target="cuda", strict=False)
        decorate(lambda *_arguments: on_device)


def threads_for(num_threads: int) -> tuple[int, int]:
    """The grid of at least so many threads: blocks, and threads of a block."""
    return -(-num_threads // _THREADS), _THREADS


def launcher(
    kernel: Any, grid: tuple[int, int], *arguments: Any, shared: int = 0
) -> Callable[[], None]:
    """Launches a kernel with these arguments, whose types are read only once.

    ``shared`` is the bytes of shared memory of a block.
    """
    with warnings.catch_warnings():
        # Numba's advice to use more threads; how many games there are is a user's choice.
        warnings.filterwarnings("ignore", ".*Grid size")
        return partial(kernel.specialize(*arguments)[(*grid, 0, shared)], *arguments)


# Arrays. Copies between host and device are rare, and wait for all that was launched before.


def empty(shape: tuple[int, ...], dtype: Any, order: str = "C") -> DeviceArray:
    if SIMULATED:
        return np.zeros(shape, dtype, order)  # type: ignore[call-overload]
    return cuda.device_array(shape, dtype, order=order)


def like(fields: Fields, num_games: int, order: str = "C") -> Fields:
    """Arrays for ``num_games`` games with the types and shapes of those in a named tuple."""
    made = [empty((num_games, *each.shape[1:]), each.dtype, order) for each in fields]
    return cast("Fields", getattr(type(fields), "_make", tuple)(made))


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
