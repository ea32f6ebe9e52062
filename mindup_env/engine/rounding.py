"""Arithmetic with the same result on every device.

A GPU computes the sum of a product and a number with one rounding instead of two. A ``product`` is
rounded before it is used, there too.
"""

from typing import Any

from numba.extending import overload

from mindup_env.engine.compiler import PART_OPTIONS


def product(first: float, second: float) -> float:
    return first * second


@overload(product, strict=False, jit_options=PART_OPTIONS)
def _product(first: Any, second: Any) -> Any:  # noqa: ARG001  # Numba reads their names
    return lambda first, second: first * second
