"""Functions that are others on a GPU: what calls them there is compiled with these instead."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from mindup_env.cuda.support import SIMULATED, cuda
from mindup_env.engine.rounding import product


def replace(function: Callable[..., Any], on_device: Callable[..., Any]) -> None:
    """Compiles kernels with ``on_device`` in the place of a function that CPUs compile too."""
    if find_spec("numba_cuda") and not SIMULATED:
        decorate = cuda.extending.overload(function, target="cuda", strict=False)
        decorate(lambda *_arguments: on_device)


def rounded_product(first: float, second: float) -> Any:
    return cuda.libdevice.dmul_rn(first, second)


replace(product, rounded_product)
