"""Writes of many bytes at once, compiled, which run ahead: what follows is written afterwards.

A set of cards becomes 64 entries in a few machine instructions, and a slice is copied in steps of
32 bytes. All of these may write more bytes than they are asked for, so a vector has to be written
from its first entry to its last. No write goes beyond the end of the array.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from mindup_env.engine.compiler import PART_OPTIONS, compiled
from mindup_env.engine.state import Int8Array

SET_SIZE = 64
"""How many numbers can be members of a set."""

STEP = 32
"""How many bytes are copied at once. Stores of 64 bytes are slower in some places of the memory."""

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


@compiled
def copy_slice(source: Int8Array, begins: int, ends: int, target: Int8Array, start: int) -> None:
    """Copies ``source[begins:ends]`` to ``target``, from ``start`` on."""
    while begins < ends and begins + STEP <= len(source) and start + STEP <= len(target):
        copy_step(target, start, source, begins)
        begins += STEP
        start += STEP
    while begins < ends:
        target[start] = source[begins]
        begins += 1
        start += 1


# In compiled code each of these is a load or a store of so many bytes, which Numba does not offer.
# It cannot be told to compile the Python functions so; they run when the compiler is off.


def store_members(array: Int8Array, start: int, members: int) -> None:
    for member in range(SET_SIZE):
        array[start + member] = (members >> member) & 1


def store_word(array: Int8Array, start: int, word: int) -> None:
    for place in range(WORD):
        array[start + place] = (word >> 8 * place) & 127


def copy_step(target: Int8Array, start: int, source: Int8Array, begins: int) -> None:
    target[start : start + STEP] = source[begins : begins + STEP]


_WORD = ir.IntType(8 * WORD)
_BITS = ir.VectorType(ir.IntType(1), STEP)
_BYTES = ir.VectorType(ir.IntType(8), STEP)


@intrinsic
def _store_members(_typing: Any, array: Any, _start: Any, _members: Any) -> tuple[Any, Any]:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        array_value, start, members = given
        for first in range(0, SET_SIZE, STEP):
            offset = ir.Constant(_WORD, first)
            bits = builder.trunc(builder.lshr(members, offset), ir.IntType(STEP))
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
def _copy_step(
    _typing: Any, target: Any, _start: Any, source: Any, _begins: Any
) -> tuple[Any, Any]:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        to, begins = (
            builder.bitcast(
                _pointer(context, builder, (signature.args[at], given[at]), given[at + 1]),
                _BYTES.as_pointer(),
            )
            for at in (0, 2)
        )
        builder.store(builder.load(begins, align=1), to, align=1)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


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
_overload(copy_step, _copy_step)
