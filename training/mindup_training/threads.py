"""How many threads compute."""

import torch
from threadpoolctl import threadpool_limits


def limit_threads(number: int) -> None:
    """Of PyTorch, and of NumPy, by which the snapshots play.

    NumPy's own would be one for each core, and on a busy machine they wait for each other.
    """
    torch.set_num_threads(number)
    threadpool_limits(number, user_api="blas")
