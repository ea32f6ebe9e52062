"""How PyTorch uses the processor."""

import ctypes
import os
import sys

import torch


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prepare_torch(threads: int) -> None:
    """Sets the threads of PyTorch.

    From then on the process also keeps the memory that it frees, where its C library is glibc. By
    default every large tensor gets new pages, which can cost more than what is computed in them.
    """
    torch.set_num_threads(threads or usable_cores())
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if mallopt := getattr(library, "mallopt", None):
        most_mapped, keep_bytes = -4, -1  # M_MMAP_MAX, M_TRIM_THRESHOLD
        mallopt(most_mapped, 0)
        mallopt(keep_bytes, 2**31 - 1)
