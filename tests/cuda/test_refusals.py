"""What cannot work on a GPU is refused in words, and so is a machine without one."""

import inspect
import re
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from mindup_agents.cuda import CudaFeatures
from mindup_agents.features import SeatFeatures
from mindup_env import BatchEnv, cli
from mindup_env.batch_env.devices import find_device, list_devices
from mindup_env.cuda import arrays, support
from mindup_env.cuda.env import CudaBatchEnv
from tools.ptx import host_arrays


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a GPU, as far as ``support`` can tell."""
    cuda = MagicMock()
    cuda.cudadrv.error.CudaSupportError = LookupError
    cuda.cudadrv.driver.CudaAPIError = ArithmeticError
    cuda.cudadrv.driver.driver.get_version.return_value = 12, 4
    cuda.runtime.get_version.return_value = 12, 9
    for name, value in (("cuda", cuda), ("SIMULATED", False), ("find_spec", bool)):
        monkeypatch.setattr(support, name, value)
    monkeypatch.setattr(support._settings, "DISABLE_JIT", 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reward": lambda *_: None}, "reward must be a text such as .* every step"),
        ({"illegal_action": "raise"}, "illegal_action must be 'penalise': .* num_illegal_actions"),
        ({"illegal_action": "ignore"}, "illegal_action must be penalise or raise"),
        ({"device": "cpu"}, "CudaBatchEnv plays on the device 'cuda', not 'cpu'"),
    ],
)
def test_options_that_need_the_host_are_refused(options: dict[str, Any], said: str) -> None:
    with host_arrays(), pytest.raises(ValueError, match=said):
        CudaBatchEnv(**{"device": "cuda", **options})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the device 'cuda' cannot be used: it needs numba-cuda"),
    ],
)
@pytest.mark.usefixtures("gpu")
def test_the_benchmark_says_what_is_missing(
    words: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(support, "find_spec", lambda _name: None)
    assert cli.main(["bench", "env", "--device", "cuda", *words]) == 2
    assert said in capsys.readouterr().err


def test_unknown_devices_are_refused() -> None:
    assert list_devices() == ["cpu", "cuda"]
    with pytest.raises(ValueError, match="unknown device 'tpu'; available: cpu, cuda"):
        BatchEnv(device="tpu")


def test_a_class_of_a_user_is_not_replaced() -> None:
    class Own(BatchEnv):
        pass

    with pytest.raises(ValueError, match="Own plays on the device 'cpu', not 'cuda'"):
        Own(device="cuda")
    assert type(Own()) is Own


CLASSES: dict[str, type[BatchEnv]] = {"cpu": BatchEnv, "cuda": CudaBatchEnv}


def test_nothing_of_the_arrays_of_the_cpu_is_left() -> None:
    """Each method that reads or writes them is another one."""
    _, own = inspect.getsource(BatchEnv).split("# What a device does in its own way.")
    names = set(re.findall(r"def (\w+)", own)) - {"_play", "_make_arguments", "__setstate__"}
    assert len(names) > 8
    assert names <= {*vars(CudaBatchEnv)}


def test_seats_for_bots_are_refused() -> None:
    with host_arrays(), pytest.raises(ValueError, match=r"need a BatchEnv on the CPU, not on 'cu"):
        SeatFeatures(CudaBatchEnv(device="cuda"), "plain-1")


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("cpu", 'CudaFeatures needs a BatchEnv with device="cuda"'),
        ("cuda", "features on a GPU must be plain-1, not 'forecast-1'"),
    ],
)
def test_features_that_do_not_work_there_are_refused(device: str, said: str) -> None:
    with host_arrays(), pytest.raises(ValueError, match=said):
        CudaFeatures(CLASSES[device](device=device), "forecast-1")


def test_the_environment_cannot_be_copied() -> None:
    with host_arrays(), pytest.raises(ValueError, match=r"cannot be copied .* get_state"):
        CudaBatchEnv(device="cuda").__getstate__()


def test_actions_in_the_memory_of_the_host_are_refused() -> None:
    with pytest.raises(ValueError, match="actions must be in the memory of the GPU"):
        arrays.read_actions([[1, 2]], (1, 2))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("find_spec", lambda _name: None, r"needs numba-cuda: pip install 'mindup-env\[cuda\]'"),
        ("_settings.DISABLE_JIT", 1, "NUMBA_DISABLE_JIT is set"),
        (
            "cuda.current_context",
            Mock(side_effect=LookupError("no driver\n")),
            "no GPU was found: no",
        ),
        (
            "cuda.cudadrv.driver.driver.get_version",
            lambda: (11, 8),
            "driver is for CUDA up to 11.8, .* CUDA 12.9: install a newer driver",
        ),
        ("SIMULATED", True, "only together with NUMBA_DISABLE_JIT=1"),
    ],
)
@pytest.mark.usefixtures("gpu")
def test_what_is_in_the_way_of_a_gpu_is_said(
    name: str, value: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_device("cuda").find_problem() is None
    monkeypatch.setattr(f"mindup_env.cuda.support.{name}", value)
    with pytest.raises(ValueError, match=f'device="cuda" cannot be used: .*{said}'):
        BatchEnv(device="cuda")


def test_too_many_games_for_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: Any, **_options: Any) -> None:
        raise RuntimeError("[CUresult.CUDA_ERROR_OUT_OF_MEMORY] Call to cuMemAlloc failed")

    with host_arrays():
        monkeypatch.setattr(arrays, "like", full)
        monkeypatch.setattr(arrays, "free_memory", lambda: 5_000)
        with pytest.raises(MemoryError, match=r"7 games do not fit .* 5,000 bytes are free: use f"):
            CudaBatchEnv(num_envs=7, device="cuda")
