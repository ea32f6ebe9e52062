"""Sets of cards, or of objectives, as one 64-bit word: bit ``m`` is set where ``m`` is a member.

The words are signed: with at most 60 cards the sign bit is never set, and mixing unsigned words
with plain literals would change types silently in compiled code. Members are widened before they
shift: with the compiler off they can be int8 scalars, in which a set would not fit.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from mindup_env.engine.compiler import PART_OPTIONS, compiled


def size(members: int) -> int:
    return int(members).bit_count()


def lowest(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return (int(members) & -int(members)).bit_length() - 1


@compiled
def one(member: int) -> int:
    """The set of this member alone."""
    return 1 << int(member)


@compiled
def contains(members: int, member: int) -> bool:
    return (members >> int(member)) & 1 == 1


@compiled
def size_below(members: int, bound: int) -> int:
    """How many members are lower than ``bound``: the place of ``bound`` among them."""
    return size(members & (one(bound) - 1))


@compiled
def nth_lowest(members: int, n: int) -> int:
    """The member with exactly ``n`` lower ones."""
    member = 0
    # Halving has no branch that depends on n: half the time of dropping n members one by one.
    for width in (32, 16, 8, 4, 2, 1):
        in_lower_half = size((members >> member) & ((1 << width) - 1))
        if n >= in_lower_half:
            n -= in_lower_half
            member += width
    return member


# Inside compiled code `size` and `lowest` are single machine instructions. Numba offers neither,
# and the Python bodies above, which serve when the compiler is off, it could not compile.


@intrinsic
def _count_ones(_typing_context: Any, _word: types.Type) -> tuple[Any, Any]:
    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _count_trailing_zeros(_typing_context: Any, _word: types.Type) -> tuple[Any, Any]:
    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _overload(function: Callable[[int], int], instruction: Any) -> None:
    # Not inlined by Numba itself: after that it drops what is written to an array by way of a named
    # tuple made in the same function.
    @overload(function, strict=False, jit_options=PART_OPTIONS)
    def implement(members: Any) -> Any:  # noqa: ARG001  # Numba reads its name
        return lambda members: instruction(members)  # noqa: PLW0108  # it wants a Python function


_overload(size, _count_ones)
_overload(lowest, _count_trailing_zeros)
