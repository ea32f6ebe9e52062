"""Whether a GPU can be used here, and why not."""

from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numba
from numba import cuda as _cuda

# Numba publishes no types for these.
_settings: Any = numba.config
cuda: Any = _cuda

SIMULATED: bool = bool(_settings.ENABLE_CUDASIM)
"""Whether Numba runs kernels in Python, thread by thread: slowly, and without a GPU."""


def kernel(python: Callable[..., None]) -> Any:
    """What is launched on the device."""
    return cuda.jit(python)


def replace(function: Callable[..., Any], on_device: Callable[..., Any]) -> None:
    """Compiles kernels with ``on_device`` in the place of a function that CPUs compile too."""
    if find_spec("numba_cuda") and not SIMULATED:
        decorate = cuda.extending.overload(function, target="cuda", strict=False)
        decorate(lambda *_arguments: on_device)


def find_problem() -> str | None:
    """What is in the way, and how to remove it; None if games can be played on a GPU."""
    if SIMULATED:
        if _settings.DISABLE_JIT:
            return None
        return "NUMBA_ENABLE_CUDASIM=1 simulates a GPU only together with NUMBA_DISABLE_JIT=1"
    if find_spec("numba_cuda") is None:
        return "it needs numba-cuda: pip install 'mindup-env[cuda]'"
    if _settings.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set, and only compiled code runs on a GPU"
    return _problem_of_device()


def _problem_of_device() -> str | None:
    try:
        cuda.current_context()
        driver, libraries = _driver_version(), cuda.runtime.get_version()
    except cuda.cudadrv.error.CudaSupportError as error:
        return f"no GPU was found: {_one_line(error)}"
    except (cuda.cudadrv.driver.CudaAPIError, RuntimeError) as error:
        return f"the GPU cannot be used: {_one_line(error)}"
    if driver[0] < libraries[0]:
        return (
            f"the driver is for CUDA up to {_dotted(driver)}, but the installed libraries are of "
            f"CUDA {_dotted(libraries)}: install a newer driver"
        )
    return None


def describe() -> str:
    """The GPU, its memory, its driver and the library that drives it; or that it is simulated."""
    if SIMULATED:
        return "simulated by Numba in Python"
    context = cuda.current_context()
    device = context.device
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    _free, total = context.get_memory_info()
    return (
        f"{name}, {total / 2**30:.0f} GiB, compute capability "
        f"{_dotted(device.compute_capability)}, driver for CUDA up to {_dotted(_driver_version())},"
        f" numba-cuda {version('numba-cuda')}"
    )


def _driver_version() -> tuple[int, ...]:
    found: tuple[int, ...] = cuda.cudadrv.driver.driver.get_version()
    return found


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(" .:")
