"""All seats of many games in one call, on an NVIDIA GPU.

The rules, the rewards and the observations are the functions of the packages ``engine``,
``batch_env`` and ``observation``: they become kernels here, with a thread or a warp for each game.

- ``env``: ``CudaBatchEnv``
- ``kernels``: a thread, or for observations a warp, for each game
- ``device``: whether a GPU can be used here, arrays in its memory, and launches
"""

from mindup_env.cuda.device import describe, find_problem
from mindup_env.cuda.env import CudaBatchEnv

__all__ = ["CudaBatchEnv", "describe", "find_problem"]
