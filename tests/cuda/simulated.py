"""Plays in Numba's simulator of a GPU: ``python -m tests.cuda.simulated HOW FOLDER CASE...``.

``games`` plays the cases; ``lanes`` writes their observations by several threads for each game.
"""

import sys
import warnings
from pathlib import Path
from threading import current_thread
from typing import Any

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from mindup_env import IllegalActionWarning
from mindup_env.cuda import CudaBatchEnv, device, kernels
from mindup_env.observation import wide_writes, writer
from tests.cuda.playing import CASES, play


def write_in_lanes() -> None:
    """Lets four threads write the observations of a game, as a warp of a GPU does."""
    simulated: Any = FakeCUDAModule
    threads: Any = current_thread
    simulated.syncwarp = lambda _self: threads().syncthreads()  # not simulated by Numba itself
    vars(kernels)["LANES"] = device.LANES = 4
    for in_lanes in kernels.IN_LANES:
        for module in (wide_writes, writer):
            setattr(module, in_lanes.__name__, in_lanes)


if __name__ == "__main__":
    how, folder, *cases = sys.argv[1:]
    warnings.simplefilter("ignore", IllegalActionWarning)
    if how == "lanes":
        write_in_lanes()
    for each in cases:
        shown = play(CASES[each], CudaBatchEnv, episodes=1 if how == "lanes" else 2)
        np.savez(Path(folder, f"{each}.npz"), **shown)  # type: ignore[arg-type]
