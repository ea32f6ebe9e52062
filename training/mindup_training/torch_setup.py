"""How PyTorch uses the processor."""

import ctypes
import sys

import torch


def prepare_torch(threads: int) -> None:
    """Sets the threads of PyTorch.

    With glibc, the process also keeps the memory that it frees. By default every large
    tensor gets new pages, which can cost more than what is computed in them.
    """
    torch.set_num_threads(threads)
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    mallopt = getattr(library, "mallopt", None)
    if mallopt is not None:
        mallopt(-4, 0)  # M_MMAP_MAX
        mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD
