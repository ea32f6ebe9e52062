"""What a GPU does, without one: in Numba's simulator, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mindup_env import BatchEnv
from tests.cuda.playing import CASES, Shown, assert_same, play
from tests.processes import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}


def run(*words: str) -> str:
    """Runs Python with these words in the simulator; what it prints."""
    process = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | SIMULATOR,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return process.stdout


def simulate(how: str, folder: Path, cases: list[str]) -> list[Shown]:
    """What ``tests.cuda.simulated`` writes of each case."""
    run("-m", "tests.cuda.simulated", how, str(folder), *cases)
    found = []
    for case in cases:
        with np.load(folder / f"{case}.npz") as shown:
            found.append(dict(shown))
    return found


def test_games_are_those_of_the_cpu(tmp_path: Path) -> None:
    for case, found in zip(CASES, simulate("games", tmp_path, [*CASES]), strict=True):
        assert_same(found, play(CASES[case], BatchEnv))


@pytest.mark.slow
def test_several_lanes_write_the_observations_of_the_cpu(tmp_path: Path) -> None:
    """The other tests have one lane for each game, because the simulator is slow."""
    (found,) = simulate("lanes", tmp_path, ["tiny"])
    assert_same(found, play(CASES["tiny"], BatchEnv, episodes=1))


@pytest.mark.slow
def test_the_code_of_the_page_prints_the_output_below_it() -> None:
    page = str(ROOT / "docs" / "mindup.md")
    code = "from tests.pages import Path, run_code; print(run_code(Path(%r), on_a_gpu=True))"
    assert run("-c", code % page) == "1\n"


@pytest.mark.slow
def test_the_benchmark_measures_it() -> None:
    code = "import mindup_cli; from mindup_env import bench; "
    words = "bench --device cuda --players 2 --num-envs 1 --seconds 0.001"
    told = run("-c", f"{code} bench._PERIODS = 1; mindup_cli.main({words!r}.split())")
    assert told.startswith("simulated by Numba\n")
    (line,) = (line for line in told.splitlines() if line.startswith("| `CudaBatchEnv`"))
    assert int(line.split("|")[3].replace(",", "")) > 0
