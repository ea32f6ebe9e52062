"""Kernels that are made ready once for arguments of the same types."""

import warnings
from typing import Any

from mindup_env.cuda import arrays
from mindup_env.cuda.support import SIMULATED

_THREADS = 4 if SIMULATED else 128
"""Threads of a block, where each thread has a game of its own. The simulator starts all of them."""


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
        stream = arrays.current_stream()
        if stream not in self._on_streams:
            with warnings.catch_warnings():
                # Numba's advice to use more threads; how many games there are is a user's choice.
                warnings.filterwarnings("ignore", "Grid size")
                self._on_streams[stream] = self._kernel[(*self._grid, stream, self._shared)]
        self._on_streams[stream](*(arguments or self._arguments))


def threads_for(num_threads: int) -> tuple[int, int]:
    """The grid of at least so many threads."""
    return -(-num_threads // _THREADS), _THREADS
