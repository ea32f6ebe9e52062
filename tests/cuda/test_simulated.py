"""The kernels in Numba's simulator, which needs no GPU, give the bytes of the CPU."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from tests.cuda.playing import CASES, Shown, assert_same, play, play_features, play_lowest
from tests.processes import ROOT

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}


def run(*words: str, simulator: bool = True) -> str:
    """Runs Python with these words, in the simulator; what it prints."""
    process = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | (SIMULATOR if simulator else {}),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return process.stdout


def simulate(
    how: str, folder: Path, cases: Iterable[str], *, simulator: bool = True
) -> list[Shown]:
    """What ``tests.cuda.simulated`` writes of each case, in a process of its own for all."""
    run("-m", "tests.cuda.simulated", how, str(folder), *cases, simulator=simulator)
    found = []
    for case in cases:
        with np.load(folder / f"{case}.npz") as shown:
            found.append(dict(shown))
    return found


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("cases", [["published"], [*CASES.keys() - {"published"}]], ids=len)
def test_games_are_those_of_the_cpu(cases: list[str], tmp_path: Path) -> None:
    for case, found in zip(cases, simulate("games", tmp_path, cases), strict=True):
        assert_same(found, play(CASES[case], "cpu"))


def test_several_lanes_write_the_observations_of_the_cpu(tmp_path: Path) -> None:
    """The other tests have one lane for each game, because the simulator is slow."""
    cases = ["two", "padded"]
    for case, found in zip(cases, simulate("lanes", tmp_path, cases), strict=True):
        assert_same(found, play_lowest(CASES[case], "cpu"))


def test_features_are_those_of_the_cpu(tmp_path: Path) -> None:
    cases = ["two", "six"]
    for case, found in zip(cases, simulate("features", tmp_path, cases), strict=True):
        assert_same(found, play_features(CASES[case], "cpu"))


def test_a_training_is_that_on_the_cpu(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    critics = ["features", "state"]
    on_device = simulate("train-cuda", tmp_path, critics)
    on_cpu = simulate("train-cpu", tmp_path, critics, simulator=False)
    for found, expected in zip(on_device, on_cpu, strict=True):
        assert_same(found, expected)


def test_the_benchmark_and_the_doctor_name_the_device(tmp_path: Path) -> None:
    told = run("-m", "tests.cuda.simulated", "benchmark", str(tmp_path))
    assert "simulated by Numba" in told and "bytes of device memory for each game" in told
    assert "cuda engine" in told and "cuda BatchEnv" in told
    assert "device cuda     simulated by Numba in Python" in told


def test_the_code_of_the_page_prints_the_output_below_it() -> None:
    pytest.importorskip("torch")
    page = str(ROOT / "docs" / "gpu.md")
    code = "from tests.pages import Path, run_code; print(run_code(Path(%r), on_a_gpu=True))"
    assert run("-c", code % page) == "1\n"


def test_the_example_plays_by_tensors_of_pytorch() -> None:
    pytest.importorskip("torch")
    told = run("examples/gpu_games.py", "--num-envs", "1")
    assert "decisions/s with observations" in told and "illegal actions: 0" in told
