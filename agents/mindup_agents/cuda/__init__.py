"""Network inputs for games on a GPU, which ``BatchEnv(..., device="cuda")`` plays.

- ``features``: ``CudaFeatures``, the features of all seats
- ``kernels``: a thread for each seat, which calls what the CPU calls for a row
"""

from mindup_agents.cuda.features import ENCODERS, CudaFeatures

__all__ = ["ENCODERS", "CudaFeatures"]
