"""Plays a case in Numba's simulator of a GPU: ``python -m tests.cuda.simulated CASE FILE``."""

import sys
import warnings

import numpy as np

from mindup_env import IllegalActionWarning
from tests.cuda.playing import CASES, play

if __name__ == "__main__":
    name, path = sys.argv[1:]
    warnings.simplefilter("ignore", IllegalActionWarning)
    np.savez(path, **play(CASES[name], "cuda"))  # type: ignore[arg-type]
