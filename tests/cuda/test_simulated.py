"""The kernels in Numba's simulator, which needs no GPU, give the bytes of the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cuda.playing import CASES, assert_same, play
from tests.processes import ROOT

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}


def simulate(module: str, *words: str) -> None:
    """Runs a module of the tests in the simulator."""
    subprocess.run(
        [sys.executable, "-m", module, *words], cwd=ROOT, check=True, env=os.environ | SIMULATOR
    )


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("name", CASES)
def test_games_are_those_of_the_cpu(name: str, tmp_path: Path) -> None:
    simulate("tests.cuda.simulated", name, str(tmp_path / "shown.npz"))
    with np.load(tmp_path / "shown.npz") as found:
        assert_same(dict(found), play(CASES[name], "cpu"))
