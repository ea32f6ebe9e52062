"""Arrays in device memory, as tensors of PyTorch where it is installed; kernels to launch."""

import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.cuda.support import SIMULATED, cuda
from mindup_env.engine.state import make_rules
from mindup_env.settings.checks import describe_array

DeviceArray = Any
"""An array of Numba in device memory; in the simulator an array of NumPy."""

Tensor = Any
"""A tensor of PyTorch on the device; without PyTorch, a DeviceArray."""

_torch: Any = import_module("torch") if find_spec("torch") else None

Fields = TypeVar("Fields", bound=tuple[Any, ...])

_THREADS = 4 if SIMULATED else 128
"""Threads of a block, where each thread has a game of its own. The simulator starts all of them."""


def like(fields: Fields, num_games: int, *, transposed: bool = False) -> Fields:
    """Arrays for ``num_games`` games with the types and shapes of those in a named tuple.

    If they are transposed in memory, the same entries of neighbouring games are neighbours: the
    threads of a warp, with a game each, read and write them together.
    """
    order = "F" if transposed else "C"
    make = getattr(type(fields), "_make", tuple)
    return cast(
        "Fields", make(empty((num_games, *each.shape[1:]), each.dtype, order) for each in fields)
    )


def make_device_rules(config: GameConfig) -> tuple[Any, ...]:
    """The fields of Rules, arrays on the device."""
    return tuple(
        to_device(field) if isinstance(field, np.ndarray) else field for field in make_rules(config)
    )


def empty(shape: tuple[int, ...], dtype: Any, order: str = "C") -> DeviceArray:
    if SIMULATED:
        return np.zeros(shape, dtype, order)  # type: ignore[call-overload]
    return cuda.device_array(shape, dtype, order=order)


# Copies between host and device are rare. They wait for all streams, and all streams for them.


def to_device(array: npt.NDArray[Any]) -> DeviceArray:
    if SIMULATED:
        return array.copy()
    copied = cuda.to_device(np.ascontiguousarray(array))
    cuda.synchronize()
    return copied


def write(target: DeviceArray, values: npt.NDArray[Any]) -> None:
    """Copies values of the host into an array."""
    if SIMULATED:
        target[...] = values
    else:
        cuda.synchronize()
        target.copy_to_device(values)
        cuda.synchronize()


def to_host(array: DeviceArray) -> npt.NDArray[Any]:
    """A copy in the memory of the host, when all that was launched before has run."""
    cuda.synchronize()
    copied: npt.NDArray[Any] = array.copy() if SIMULATED else array.copy_to_host()
    return copied


def as_tensor(array: DeviceArray) -> Tensor:
    """A tensor that shares the memory of an array."""
    if _torch is None:
        return array
    return _torch.from_numpy(array) if SIMULATED else _torch.as_tensor(array, device="cuda")


def as_array(tensor: Tensor) -> DeviceArray:
    """The array that shares the memory of a tensor."""
    if _torch is None:
        return tensor
    return tensor.numpy() if SIMULATED else cuda.as_cuda_array(tensor)


def copy_tensor(array: Tensor) -> Tensor:
    if _torch is not None:
        return array.clone()
    if SIMULATED:
        return array.copy()
    copied = cuda.device_array_like(array)
    copied.copy_to_device(array)
    return copied


def read_actions(given: Any, shape: tuple[int, int]) -> DeviceArray:
    """The given actions (N, num_players) as a DeviceArray, without a copy; others are refused."""
    array: Any = None
    if hasattr(given, "__cuda_array_interface__"):
        array = cuda.as_cuda_array(given)
    elif SIMULATED:
        array = np.asarray(given)
    elif _torch is not None and hasattr(given, "__dlpack_device__"):
        tensor = _torch.from_dlpack(given)
        array = cuda.as_cuda_array(tensor) if tensor.is_cuda else None
    if array is None:
        raise ValueError(
            f"actions must be in the memory of the GPU, as a tensor of PyTorch, CuPy or JAX is, "
            f"not {describe_array(given)}: a copy would cost more than the step"
        )
    if array.shape != shape or array.dtype.kind not in "iu":
        raise ValueError(
            f"actions must be integers of shape {shape} (games, players), not {array.dtype} of "
            f"shape {array.shape}"
        )
    return array


def current_stream() -> Any:
    """The stream on which PyTorch computes now; without it, the default stream."""
    if SIMULATED or _torch is None:
        return 0
    return _stream(_torch.cuda.current_stream().cuda_stream)


@cache
def _stream(pointer: int) -> Any:
    return cuda.external_stream(pointer) if pointer else 0


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error says that an array does not fit into the memory of the device."""
    return isinstance(error, MemoryError) or "OUT_OF_MEMORY" in str(error).upper()


def free_memory() -> int:
    """The bytes that are free on the device."""
    free: int = cuda.current_context().get_memory_info()[0]
    return free


class Launch:
    """A kernel for arguments of the same types and shapes, which are read only once.

    Args:
        kernel: the kernel.
        grid: blocks, and threads of a block.
        arguments: the arguments, or others like them.
        shared: bytes of shared memory of a block.
    """

    def __init__(
        self, kernel: Any, grid: tuple[int, int], *arguments: Any, shared: int = 0
    ) -> None:
        self._kernel = kernel.specialize(*arguments)
        self._grid, self._arguments, self._shared = grid, arguments, shared
        self._on_streams: dict[Any, Any] = {}

    def __call__(self, *arguments: Any) -> None:
        """Launches the kernel on the current stream; without arguments, with the first ones."""
        stream = current_stream()
        if stream not in self._on_streams:
            with warnings.catch_warnings():
                # Numba's advice to use more threads, after the code of a colour; how many games
                # there are is a user's choice.
                warnings.filterwarnings("ignore", ".*Grid size")
                self._on_streams[stream] = self._kernel[(*self._grid, stream, self._shared)]
        self._on_streams[stream](*(arguments or self._arguments))


def threads_for(num_threads: int) -> tuple[int, int]:
    """The grid of at least so many threads."""
    return -(-num_threads // _THREADS), _THREADS
