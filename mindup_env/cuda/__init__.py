"""All seats of many games in one call, on an NVIDIA GPU: ``BatchEnv(..., device="cuda")``.

The rules, the rewards and the observations are the functions of the packages ``engine``,
``batch_env`` and ``observation``: they become kernels here, with a thread or a warp for each game.

- ``env``: ``CudaBatchEnv``, which ``BatchEnv`` makes for this device
- ``kernels``: a thread, or for observations a warp, for each game
- ``clocks``: which games end in a step, known without asking the device
- ``arrays``: arrays in device memory, as tensors of PyTorch where it is installed; launches
- ``support``: whether a GPU can be used here, and why not; functions that are others on it
"""

from importlib import import_module
from typing import Any

from mindup_env.cuda.support import describe, find_problem

__all__ = ["describe", "env_class", "find_problem"]


def env_class() -> type[Any]:
    """``CudaBatchEnv``, which needs numba-cuda and a GPU."""
    if problem := find_problem():
        raise ValueError(f'device="cuda" cannot be used: {problem}')
    found: type[Any] = import_module("mindup_env.cuda.env").CudaBatchEnv
    return found
