"""Plays in Numba's simulator of a GPU: ``python -m tests.cuda.simulated HOW CASE FILE``.

``games`` plays a case; ``lanes`` writes its observations by several threads for each game;
``features`` also computes features.
"""

import sys
import warnings
from threading import current_thread
from typing import Any

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from mindup_env import IllegalActionWarning
from mindup_env.cuda import observing
from mindup_env.observation import wide_writes
from tests.cuda.playing import CASES, Case, Shown, play, play_features, play_lowest


def play_games(case: Case) -> Shown:
    return play(case, "cuda")


def play_in_lanes(case: Case) -> Shown:
    simulated: Any = FakeCUDAModule
    threads: Any = current_thread
    simulated.syncwarp = lambda _self: threads().syncthreads()  # not simulated by Numba itself
    observing.LANES = 4
    for in_lanes in observing.IN_LANES:
        setattr(wide_writes, in_lanes.__name__, in_lanes)
    return play_lowest(case, "cuda")


def play_with_features(case: Case) -> Shown:
    return play_features(case, "cuda")


HOW = {"games": play_games, "lanes": play_in_lanes, "features": play_with_features}

if __name__ == "__main__":
    how, name, path = sys.argv[1:]
    warnings.simplefilter("ignore", IllegalActionWarning)
    shown = HOW[how](CASES[name])
    np.savez(path, **shown)  # type: ignore[arg-type]
