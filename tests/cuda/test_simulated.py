"""The kernels in Numba's simulator, which needs no GPU, give the bytes of the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cuda.playing import CASES, Shown, assert_same, play, play_features, play_lowest
from tests.processes import MINDUP, ROOT

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


def simulate(how: str, case: str, folder: Path) -> Shown:
    """What ``tests.cuda.simulated`` writes, in a process of its own."""
    run("-m", "tests.cuda.simulated", how, case, str(folder / "shown.npz"))
    with np.load(folder / "shown.npz") as shown:
        return dict(shown)


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("case", CASES)
def test_games_are_those_of_the_cpu(case: str, tmp_path: Path) -> None:
    assert_same(simulate("games", case, tmp_path), play(CASES[case], "cpu"))


@pytest.mark.parametrize("case", ["two", "padded"])
def test_several_lanes_write_the_observations_of_the_cpu(case: str, tmp_path: Path) -> None:
    """The other tests have one lane for each game, because the simulator is slow."""
    assert_same(simulate("lanes", case, tmp_path), play_lowest(CASES[case], "cpu"))


@pytest.mark.parametrize("case", ["two", "four", "six"])
def test_features_are_those_of_the_cpu(case: str, tmp_path: Path) -> None:
    assert_same(simulate("features", case, tmp_path), play_features(CASES[case], "cpu"))


def test_the_benchmark_names_the_device_and_its_memory() -> None:
    small = ("--players", "2", "--num-envs", "1", "--seconds", "0.001")
    told = run("-c", MINDUP, "bench", "env", "--device", "cuda", *small)
    assert "simulated by Numba" in told and "bytes of device memory for each game" in told
    assert "cuda engine" in told and "cuda BatchEnv" in told


def test_the_code_of_the_page_prints_the_output_below_it() -> None:
    pytest.importorskip("torch")
    page = str(ROOT / "docs" / "gpu.md")
    code = "from tests.pages import Path, run_code; print(run_code(Path(%r), on_a_gpu=True))"
    assert run("-c", code % page) == "1\n"


def test_the_example_plays_by_tensors_of_pytorch() -> None:
    pytest.importorskip("torch")
    told = run("examples/gpu_games.py", "--num-envs", "1")
    assert "decisions/s with observations" in told and "illegal actions: 0" in told


@pytest.mark.parametrize("critic", ["features", "state"])
def test_a_training_is_that_on_the_cpu(critic: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    run("-m", "tests.cuda.training", "cuda", critic, str(tmp_path / "cuda.npz"))
    words = [sys.executable, "-m", "tests.cuda.training", "cpu", critic, str(tmp_path / "cpu.npz")]
    subprocess.run(words, cwd=ROOT, check=True)
    with np.load(tmp_path / "cuda.npz") as found, np.load(tmp_path / "cpu.npz") as expected:
        assert_same(dict(found), dict(expected))


def test_the_doctor_names_the_device() -> None:
    told = run("-c", MINDUP, "doctor", "--seconds", "0.001")
    assert "device cuda     simulated by Numba in Python" in told
