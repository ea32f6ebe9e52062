"""What cannot work on a GPU is refused in words, and so is a machine without one."""

from typing import Any
from unittest.mock import MagicMock

import pytest
import torch

import mindup_cli
from mindup_env.cuda import CudaBatchEnv, device, find_problem


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a GPU, as far as ``find_problem`` can tell."""
    monkeypatch.setattr(device, "find_spec", bool)
    monkeypatch.setattr(device, "SIMULATED", False)
    monkeypatch.setattr(device.settings, "DISABLE_JIT", 0)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mindup_env.cuda.device.find_spec", lambda _: None, r"pip install 'mindup-env\[cuda\]'"),
        ("numba.config.DISABLE_JIT", 1, "the simulator needs NUMBA_DISABLE_JIT=1"),
        ("torch.cuda.is_available", lambda: False, "PyTorch .* finds no GPU"),
        (
            "mindup_env.cuda.device.SIMULATED",
            True,
            "the simulator needs NUMBA_DISABLE_JIT=1",
        ),
    ],
)
@pytest.mark.usefixtures("gpu")
def test_what_is_in_the_way_of_a_gpu_is_said(
    name: str,
    value: Any,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert find_problem() is None
    monkeypatch.setattr(name, value)
    with pytest.raises(ValueError, match=f"^CudaBatchEnv cannot be used: .*{said}"):
        CudaBatchEnv()
    assert mindup_cli.main(["bench", "--device", "cuda"]) == 2
    assert "a GPU cannot be used: " in capsys.readouterr().err


@pytest.mark.usefixtures("gpu")
def test_a_reward_that_needs_the_host_is_refused() -> None:
    with pytest.raises(ValueError, match="reward, on a GPU, must be a str, not <func"):
        CudaBatchEnv(reward=lambda *_: None)  # type: ignore[arg-type]


@pytest.mark.usefixtures("gpu")
def test_too_many_games_for_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    full = MagicMock(side_effect=RuntimeError("[CUresult.CUDA_ERROR_OUT_OF_MEMORY] cuMemAlloc"))
    monkeypatch.setattr(device, "like", full)
    with pytest.raises(MemoryError, match="7 games do not fit into the memory of the GPU"):
        CudaBatchEnv(num_envs=7)


@pytest.mark.usefixtures("gpu")
def test_what_is_not_in_the_memory_of_the_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CudaBatchEnv, "_allocate", lambda _: None)
    games = CudaBatchEnv()
    for use in (games.random_actions, games.state, lambda: games.step([]), lambda: games.turns):
        with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
            use()
    wanted = r"actions must be integers of shape \(1, 4\) .* in the memory of the GPU, .*, not "
    for actions, told in ([[0, 1, 2, 3]], "list"), (torch.zeros(1, 4), "torch.float32 .* on cpu"):
        with pytest.raises(ValueError, match=wanted + told):
            games._read_actions(actions)
    with pytest.raises(ValueError, match="cannot be copied with their environment"):
        games.__getstate__()
