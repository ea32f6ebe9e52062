"""Instructions for compiled threads that work together: atomic memory, a pause, calls by address.

Numba does not offer them. All atomic instructions are sequentially consistent: what one thread
writes before one of them, another reads after it. They exist in compiled code alone.
"""

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

FAILED = -1 << 63
"""The result of a function that raised an error."""

_WORD = ir.IntType(64)
_ORDER = "seq_cst"

# What a processor is told while it waits in a loop, as the languages C++ and Rust do.
_PAUSES = {
    **dict.fromkeys(("x86_64", "AMD64", "i686"), ("llvm.x86.sse2.pause", ())),
    **dict.fromkeys(("aarch64", "arm64"), ("llvm.aarch64.isb", (ir.Constant(ir.IntType(32), 15),))),
}


@intrinsic
def _load(_typing: Any, array: Any, _place: Any) -> tuple[Any, Any]:
    """``array[place]`` of int64."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        return builder.load_atomic(_pointer(context, builder, signature, given), _ORDER, 8)

    return types.int64(array, types.int64), generate


@intrinsic
def _store(_typing: Any, array: Any, _place: Any, _value: Any) -> tuple[Any, Any]:
    """``array[place] = value``."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        builder.store_atomic(given[2], _pointer(context, builder, signature, given), _ORDER, 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _add(_typing: Any, array: Any, _place: Any, _value: Any) -> tuple[Any, Any]:
    """``array[place] += value``."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        builder.atomic_rmw("add", _pointer(context, builder, signature, given), given[2], _ORDER)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _replace(_typing: Any, array: Any, _place: Any, _old: Any, _new: Any) -> tuple[Any, Any]:
    """``array[place] = new`` if it is ``old``; returns whether it was."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
        place = _pointer(context, builder, signature, given)
        pair = builder.cmpxchg(place, given[2], given[3], _ORDER, _ORDER)
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.int64, types.int64, types.int64), generate


@intrinsic
def _pause(_typing: Any) -> tuple[Any, Any]:
    """Lets a loop that waits use less of the processor."""

    def generate(context: Any, builder: Any, _signature: Any, _given: Any) -> ir.Value:
        if platform.machine() in _PAUSES:
            name, arguments = _PAUSES[platform.machine()]
            type_ = ir.FunctionType(ir.VoidType(), [each.type for each in arguments])
            builder.call(builder.module.declare_intrinsic(name, fnty=type_), arguments)
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _call_kernel(
    _typing: Any, _address: Any, _command: Any, _first: Any, _last: Any, arguments: Any
) -> tuple[Any, Any]:
    """Calls a compiled function by its address; FAILED if it raises an error.

    The function takes (command, first, last, arguments) and returns an int64.
    """
    given_types = types.int64, types.int64, types.int64, arguments

    def generate(context: Any, builder: Any, _signature: Any, given: Any) -> ir.Value:
        convention = context.call_conv
        pointer = convention.get_function_type(types.int64, given_types).as_pointer()
        function = builder.inttoptr(given[0], pointer)
        status, result = convention.call_function(
            builder, function, types.int64, given_types, given[1:]
        )
        return builder.select(status.is_error, ir.Constant(_WORD, FAILED), result)

    return types.int64(types.int64, *given_types), generate


# Numba's published types take an intrinsic for the function that describes it.
load: Any = _load
store: Any = _store
add: Any = _add
replace: Any = _replace
pause: Any = _pause
call_kernel: Any = _call_kernel


def address_of(kernel: Any, arguments: Any) -> int:
    """The address of a kernel for ``call_kernel``; compiles it if need be."""
    signature = kernel.typeof_pyval(0), *(kernel.typeof_pyval(each) for each in (0, 0, arguments))
    kernel.compile(signature)
    result = kernel.overloads[signature]
    # A constant has a type of its own.
    returned = result.signature.return_type
    if getattr(returned, "literal_type", returned) != types.int64:
        raise TypeError(f"{kernel.__name__} must return an int, not {returned}")
    address: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    return address


def _pointer(context: Any, builder: Any, signature: Any, given: Any) -> ir.Value:
    """Where the entry of an array is; they are the first two arguments."""
    array = context.make_array(signature.args[0])(context, builder, given[0])
    return builder.gep(array.data, [given[1]])
