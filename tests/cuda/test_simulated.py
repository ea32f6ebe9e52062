"""The kernels in Numba's simulator, which needs no GPU, give the bytes of the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cuda.playing import CASES, Shown, assert_same, play, play_lowest
from tests.processes import ROOT

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}


def simulate(how: str, case: str, folder: Path) -> Shown:
    """What ``tests.cuda.simulated`` writes, in a process of its own."""
    words = [sys.executable, "-m", "tests.cuda.simulated", how, case, str(folder / "shown.npz")]
    subprocess.run(words, cwd=ROOT, check=True, env=os.environ | SIMULATOR)
    with np.load(folder / "shown.npz") as shown:
        return dict(shown)


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("case", CASES)
def test_games_are_those_of_the_cpu(case: str, tmp_path: Path) -> None:
    assert_same(simulate("games", case, tmp_path), play(CASES[case], "cpu"))


@pytest.mark.parametrize("case", ["two", "six"])
def test_several_lanes_write_the_observations_of_the_cpu(case: str, tmp_path: Path) -> None:
    """The other tests have one lane for each game, because the simulator is slow."""
    assert_same(simulate("lanes", case, tmp_path), play_lowest(CASES[case], "cpu"))
