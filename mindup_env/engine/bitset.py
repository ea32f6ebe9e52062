"""Sets of cards or objectives as one 64-bit integer: bit ``m`` is set if ``m`` is a member.

The integers are signed: 60 cards never set the sign bit, and in compiled code unsigned integers
change their type silently when they are mixed with literals. Members are widened before a shift:
without the compiler they can be int8 scalars, which would not hold a set.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from mindup_env.engine.compiler import compiled, instead


def size(members: int) -> int:
    return int(members).bit_count()


def lowest(members: int) -> int:
    """The lowest member of a non-empty set."""
    return (int(members) & -int(members)).bit_length() - 1


@compiled
def one(member: int) -> int:
    """The set with only this member."""
    return 1 << int(member)


@compiled
def contains(members: int, member: int) -> bool:
    return (members >> int(member)) & 1 == 1


@compiled
def size_below(members: int, bound: int) -> int:
    """How many members are lower than ``bound``: its index among the members."""
    return size(members & (one(bound) - 1))


@compiled
def members(word: int) -> Iterator[int]:
    """The members in ascending order; not for code that runs on a GPU, which has no generators."""
    while word != 0:
        yield lowest(word)
        word &= word - 1


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


# In compiled code `size` and `lowest` are single machine instructions, which Numba does not offer.
# It cannot compile the Python functions above either; they run when the compiler is off.


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


instead(size, _count_ones)
instead(lowest, _count_trailing_zeros)
