"""Writes of many bytes at once, compiled, which run ahead: what follows is written afterwards.

A set of cards becomes 64 entries in a few machine instructions, and a slice is copied in steps of
64 bytes. Both may write up to 63 bytes more than they are asked for, so a vector has to be written
from its first entry to its last. No write goes beyond the end of the array.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from mindup_env.engine.compiler import PART_OPTIONS, compiled
from mindup_env.engine.state import Int8Array

WIDTH = 64
"""How many bytes are written at once: one for each number that a set can have as a member."""

WORD = 8
"""The bytes of an integer."""


@compiled
def write_members(members: int, array: Int8Array, start: int) -> None:
    """Writes 1 for each member of a set and 0 for the other numbers below 64, from ``start`` on."""
    if start + WIDTH <= len(array):
        store_members(array, start, members)
    else:
        for member in range(len(array) - start):
            array[start + member] = (members >> member) & 1


@compiled
def write_word(word: int, array: Int8Array, start: int) -> None:
    """Writes the bytes of an integer, the lowest first, from ``start`` on; each is below 128."""
    if start + WORD <= len(array):
        store_word(array, start, word)
    else:
        for place in range(len(array) - start):
            array[start + place] = (word >> 8 * place) & 127


@compiled
def copy_slice(array: Int8Array, begins: int, ends: int, to: int) -> None:
    """Copies ``array[begins:ends]`` to a later place of the same array, from ``to`` on."""
    while begins < ends and to + WIDTH <= len(array):
        copy_ahead(array, to, begins)
        begins += WIDTH
        to += WIDTH
    while begins < ends:
        array[to] = array[begins]
        begins += 1
        to += 1


# In compiled code each of these is a load or a store of so many bytes, which Numba does not offer.
# It compiles the Python functions below to loops; they run when the compiler is off.


def store_members(array: Int8Array, start: int, members: int) -> None:
    for member in range(WIDTH):
        array[start + member] = (members >> member) & 1


def store_word(array: Int8Array, start: int, word: int) -> None:
    for place in range(WORD):
        array[start + place] = (word >> 8 * place) & 127


def copy_ahead(array: Int8Array, start: int, source: int) -> None:
    array[start : start + WIDTH] = array[source : source + WIDTH]


_BYTES = ir.VectorType(ir.IntType(8), WIDTH)
_BITS = ir.VectorType(ir.IntType(1), WIDTH)


def _members(builder: ir.IRBuilder, _data: ir.Value, members: ir.Value) -> ir.Value:
    return builder.zext(builder.bitcast(members, _BITS), _BYTES)


def _word(_builder: ir.IRBuilder, _data: ir.Value, word: ir.Value) -> ir.Value:
    return word


def _source(builder: ir.IRBuilder, data: ir.Value, source: ir.Value) -> ir.Value:
    place = builder.bitcast(builder.gep(data, [source]), _BYTES.as_pointer())
    return builder.load(place, align=1)


def _overload(
    function: Callable[[Int8Array, int, int], None],
    value_of: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value],
) -> None:
    """Compiles ``function`` to a store of what ``value_of`` makes of its last argument."""

    @intrinsic
    def store(
        _typing_context: Any, array: types.Type, _start: types.Type, _argument: types.Type
    ) -> tuple[Any, Any]:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, given: Any) -> ir.Value:
            array, start, argument = given
            data = context.make_array(signature.args[0])(context, builder, array).data
            value = value_of(builder, data, argument)
            place = builder.bitcast(builder.gep(data, [start]), value.type.as_pointer())
            builder.store(value, place, align=1)
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), generate

    instruction: Any = store

    @overload(function, strict=False, jit_options=PART_OPTIONS)
    def implement(array: Any, start: Any, argument: Any) -> Any:  # noqa: ARG001  # Numba reads the names
        return lambda array, start, argument: instruction(array, start, argument)  # noqa: PLW0108  # Numba requires a Python function


_overload(store_members, _members)
_overload(store_word, _word)
_overload(copy_ahead, _source)
