"""Compiles functions with Numba. No compiled function allocates memory.

- ``kernel``: Python calls it; its code is kept on disk
- ``scalar_kernel``: the same, for short loops, as over seats, colours or cards
- ``compiled``: only compiled functions call it, and it is inlined into them
- ``called``: the same, but too long to be inlined
- ``also_compiled``: Python and compiled functions call it
- ``instead``: Python calls a function, and compiled functions run an intrinsic
- ``typed_once``: a kernel whose arguments have the same types in all calls

Numba would make machine code of every function. Here a kernel becomes machine code together with
all that it calls, so that the first use of an environment takes half the time.
"""

import gc
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import overload

from mindup_env.engine.code_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

# Numba's published types know neither all its functions and options nor these.
_numba: Any = numba
_Library: Any = JITCodeLibrary
_Compiler: Any = Compiler
_types: Any = types

IS_COMPILED: bool = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""False if NUMBA_DISABLE_JIT=1 lets Python run the functions."""


class PartLibrary(_Library):  # type: ignore[misc]
    """Code to be linked into that of kernels: no machine code, and no address."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        return self  # Numba asks it for set_env alone, which needs an address

    def set_env(self, _name: str, _env: Any) -> None:
        pass


class ScalarLibrary(_Library):  # type: ignore[misc]
    """Code without vector instructions, which make short loops longer and slower."""

    def _optimize_final_module(self) -> None:
        passes, options = self._codegen._module_pass_manager(loop_vectorize=False)
        passes.run(self._final_module, options)


class KernelCompiler(_Compiler):  # type: ignore[misc]
    """Numba's compiler without garbage collection, which would take a tenth of the time."""

    library = _Library

    def compile_extra(self, function: Any) -> Any:
        library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(function)
        finally:
            if was_enabled:
                gc.enable()


class ScalarCompiler(KernelCompiler):
    library = ScalarLibrary


class PartCompiler(KernelCompiler):
    library = PartLibrary


# Without Numba's runtime (_nrt) no array is reference-counted. The counting made random play 3.5
# times slower.
KERNEL_OPTIONS: Any = {
    "nogil": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "pipeline_class": KernelCompiler,
}
PART_OPTIONS: Any = {
    **KERNEL_OPTIONS,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}


def kernel(function: F) -> F:
    return _kernel(function, KERNEL_OPTIONS)


def scalar_kernel(function: F) -> F:
    return _kernel(function, {**KERNEL_OPTIONS, "pipeline_class": ScalarCompiler})


def compiled(function: F) -> F:
    return _part(function, PART_OPTIONS)


def called(function: F) -> F:
    return _part(function, {**PART_OPTIONS, "forceinline": False})


def also_compiled(function: F) -> F:
    overload(function, strict=False, jit_options=PART_OPTIONS)(lambda *_arguments: function)
    return function


def instead(function: Callable[..., Any], instruction: Any) -> None:
    """Lets compiled code run an intrinsic of Numba in the place of a function of Python.

    Numba itself does not inline it: then it would drop writes to an array through a named tuple
    that was made in the same function.
    """
    overload(function, strict=False, jit_options=PART_OPTIONS)(
        lambda *_: lambda *arguments: instruction(*arguments)  # noqa: PLW0108  # Numba needs it
    )


def typed_once(kernel: F) -> F:
    """A kernel whose arguments have the types of its first call.

    Later calls read no types, which takes most of a short call with named tuples. So all arrays
    must have these types and be contiguous, as new arrays are, and views may not be.
    """
    if not IS_COMPILED:
        return kernel
    dispatcher: Any = kernel
    compiled_for_types: Any = None

    @wraps(kernel)
    def call(*arguments: Any) -> Any:
        nonlocal compiled_for_types
        if compiled_for_types is None:
            compiled_for_types = dispatcher.compile(tuple(map(_numba.typeof, arguments)))
        return compiled_for_types(*arguments)

    return cast("F", call)


def _kernel(function: F, options: Any) -> F:
    entry: Any = _numba.njit(**options)(function)
    if IS_COMPILED:
        entry._cache = KernelCache(function)
    return cast("F", entry)


def _part(function: F, options: Any) -> F:
    part: Any = _numba.njit(**options)(function)
    if IS_COMPILED:
        part.compile = partial(_compile_part, part)
    return cast("F", part)


def _compile_part(part: Any, signature: tuple[Any, ...]) -> Any:
    """Compiles one version for all constants and integers, of which each would get its own."""
    arguments = tuple(map(_general, signature))
    if arguments not in part.overloads:
        part.add_overload(part._compiler.compile(arguments, None))
    return part.overloads[arguments].entry_point


def _general(argument: Any) -> Any:
    general = _types.unliteral(argument)
    return _types.int64 if general in _types.signed_domain else general
