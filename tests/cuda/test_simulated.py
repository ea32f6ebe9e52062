"""What a GPU does, without one: by Numba's simulator, by its assembler, by counting turns."""

import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from mindup_env import BatchEnv
from mindup_env.cuda.clocks import Clocks
from tests.cuda.playing import CASES, Shown, assert_same, play, play_features
from tests.envs.playing import SHORT
from tests.processes import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
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


@pytest.mark.parametrize("cases", [["published"], [*CASES.keys() - {"published"}]], ids=len)
def test_games_are_those_of_the_cpu(cases: list[str], tmp_path: Path) -> None:
    for case, found in zip(cases, simulate("games", tmp_path, cases), strict=True):
        assert_same(found, play(CASES[case], "cpu"))


def test_several_lanes_write_the_observations_of_the_cpu(tmp_path: Path) -> None:
    """The other tests have one lane for each game, because the simulator is slow."""
    (found,) = simulate("lanes", tmp_path, ["padded"])
    assert_same(found, play(CASES["padded"], "cpu", episodes=1))


def test_features_are_those_of_the_cpu(tmp_path: Path) -> None:
    cases = ["two", "six"]
    for case, found in zip(cases, simulate("features", tmp_path, cases), strict=True):
        assert_same(found, play_features(CASES[case], "cpu"))


@pytest.mark.slow
def test_a_training_is_that_on_the_cpu(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    critics = ["features", "state"]
    on_device = simulate("train-cuda", tmp_path, critics)
    on_cpu = simulate("train-cpu", tmp_path, critics, simulator=False)
    for found, expected in zip(on_device, on_cpu, strict=True):
        assert_same(found, expected)


@pytest.mark.slow
def test_the_benchmark_names_the_device(tmp_path: Path) -> None:
    told = run("-m", "tests.cuda.simulated", "benchmark", str(tmp_path))
    assert "simulated by Numba" in told and "bytes of device memory for each game" in told
    assert "cuda engine" in told and "cuda BatchEnv" in told


@pytest.mark.slow
def test_the_code_of_the_page_prints_the_output_below_it() -> None:
    pytest.importorskip("torch")
    page = str(ROOT / "docs" / "gpu.md")
    code = "from tests.pages import Path, run_code; print(run_code(Path(%r), on_a_gpu=True))"
    assert run("-c", code % page) == "1\n"


@pytest.mark.slow
def test_the_example_plays_by_tensors_of_pytorch() -> None:
    pytest.importorskip("torch")
    told = run("examples/gpu_games.py", "--num-envs", "1")
    assert "decisions/s with observations" in told and "illegal actions: 0" in told


KERNELS = {
    *("choose_at_random", "copy_games", "deal_games", "observe_games", "play_at_random"),
    *("play_turns", "write_states", "fill_plain_slots", "fill_plain_tables", "read_rows"),
}


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="run by make libraries")
@pytest.mark.parametrize("capability", ["7.5", "9.0"])
def test_no_kernel_keeps_registers_in_memory_or_fuses_roundings(capability: str) -> None:
    """As machine code, all that a thread needs is in registers."""
    table = run("-m", "tools.ptx", "--capability", capability, simulator=False)
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert {name.strip("`") for name, *_ in rows} == KERNELS
    for name, registers, stack, spilled, fused in rows:
        assert 0 < int(registers) <= 128 and stack == spilled == fused == "0", name


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_the_steps_in_which_games_end_are_those_of_the_cpu(autoreset: bool, seed: int) -> None:  # noqa: FBT001
    """Games at all turns, finished ones too, are put into random places again and again."""
    chance = np.random.default_rng(seed)
    env = BatchEnv(SHORT, 4, autoreset=autoreset)
    clocks = Clocks(4, SHORT.num_turns, autoreset=autoreset)
    other = BatchEnv(SHORT, 4, autoreset=False)
    for step in range(60):
        if step % 20 == 0:
            env.reset(seed=step)
            clocks.restart()
        if chance.random() < 0.3:
            places = chance.permutation(4)[: chance.integers(1, 4)].tolist()
            other.reset(seed=step)
            for _ in range(chance.integers(SHORT.num_turns + 1)):
                other.step(other.seen["action_mask"].argmax(axis=2))
            state = other.get_state(places)
            env.set_state(places, state)
            clocks.put(np.array(places), state.games.clock.astype(np.int64))
        *_, over, _, info = env.step(env.seen["action_mask"].argmax(axis=2))
        assert clocks.step() == over.any() == ("scores" in info)
