"""All seats of many games in one call, on an NVIDIA GPU.

``kernels`` are the functions of ``engine``, ``batch_env`` and ``observation``, with a thread or a
warp for each game; ``device`` has arrays in the memory of the GPU, and launches.
"""

from mindup_env.cuda.device import describe, find_problem
from mindup_env.cuda.env import CudaBatchEnv

__all__ = ["CudaBatchEnv", "describe", "find_problem"]
