"""Writes of many bytes at once, compiled, which run ahead: what follows is written afterwards.

A set of cards becomes 64 entries in a few machine instructions. It may have fewer cards, so a
vector has to be written from its first entry to its last. No write goes beyond the end of the
array. Observations would take ten times as long entry by entry.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic, overload

from mindup_env.engine.compiler import PART_OPTIONS, compiled
from mindup_env.engine.state import Int8Array

SET_SIZE = 64
"""How many numbers can be members of a set."""

WORD = 8
"""The bytes of an integer."""


@compiled
def write_members(members: int, array: Int8Array, start: int) -> None:
    """Writes 1 for each member of a set and 0 for the other numbers below 64, from ``start`` on."""
    if start + SET_SIZE <= len(array):
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


# In compiled code each of these is a store or a copy of so many bytes, which Numba does not offer.
# It cannot be told to compile the Python functions so; they run when the compiler is off.


def store_members(array: Int8Array, start: int, members: int) -> None:
    for member in range(SET_SIZE):
        array[start + member] = (members >> member) & 1


def store_word(array: Int8Array, start: int, word: int) -> None:
    for place in range(WORD):
        array[start + place] = (word >> 8 * place) & 127


def copy_slice(source: Int8Array, begins: int, ends: int, target: Int8Array, start: int) -> None:
    """Copies ``source[begins:ends]`` to ``target``, from ``start`` on."""
    target[start : start + ends - begins] = source[begins:ends]


cgutils: Any = _cgutils  # Numba publishes no types for it

_WORD = ir.IntType(8 * WORD)
# Stores of 64 bytes are slower in some places of the memory.
_STEP = 32
_BITS = ir.VectorType(ir.IntType(1), _STEP)
_BYTES = ir.VectorType(ir.IntType(8), _STEP)


@intrinsic
def _store_members(_typing: Any, array: Any, _start: Any, _members: Any) -> tuple[Any, Any]:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        array_value, start, members = given
        for first in range(0, SET_SIZE, _STEP):
            offset = ir.Constant(_WORD, first)
            bits = builder.trunc(builder.lshr(members, offset), ir.IntType(_STEP))
            entries = builder.zext(builder.bitcast(bits, _BITS), _BYTES)
            place = builder.add(start, offset)
            to = _pointer(context, builder, (signature.args[0], array_value), place)
            builder.store(entries, builder.bitcast(to, _BYTES.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _store_word(_typing: Any, array: Any, _start: Any, _word: Any) -> tuple[Any, Any]:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        array_value, start, word = given
        to = _pointer(context, builder, (signature.args[0], array_value), start)
        builder.store(word, builder.bitcast(to, _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _copy_slice(
    _typing: Any, source: Any, _begins: Any, _ends: Any, target: Any, _start: Any
) -> tuple[Any, Any]:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        given_source, begins, ends, given_target, start = given
        from_ = _pointer(context, builder, (signature.args[0], given_source), begins)
        to = _pointer(context, builder, (signature.args[3], given_target), start)
        cgutils.raw_memcpy(builder, to, from_, builder.sub(ends, begins), 1)
        return context.get_dummy_value()

    return types.void(source, types.int64, types.int64, target, types.int64), generate


def _pointer(
    context: Any, builder: Any, array: tuple[types.Type, ir.Value], place: ir.Value
) -> ir.Value:
    """Where an entry of an array, given as its type and its value, is in the memory."""
    array_type, value = array
    return builder.gep(context.make_array(array_type)(context, builder, value).data, [place])


def _overload(function: Any, instruction: Any) -> None:
    @overload(function, strict=False, jit_options=PART_OPTIONS)
    def implement(*_arguments: Any) -> Any:
        return lambda *arguments: instruction(*arguments)  # noqa: PLW0108  # Numba requires it


_overload(store_members, _store_members)
_overload(store_word, _store_word)
_overload(copy_slice, _copy_slice)
