"""How Numba compiles the functions of the rules, in less time.

The code of functions that only compiled functions call is optimised, and becomes machine code, as a
part of the kernels that call them. Numba would do both for each of them by itself as well, which is
a fifth of the time of compiling.
"""

from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# Numba publishes no types for these.
_Library: Any = JITCodeLibrary
_Compiler: Any = Compiler
_types: Any = types


class LightLibrary(_Library):  # type: ignore[misc]
    """Code whose functions are optimised once, as parts of the whole.

    Numba would first optimise each by itself as much as the whole. A little of that is worth its
    time: it makes the code that is linked much shorter.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, options = self._codegen._function_pass_manager(opt=1)
                passes.run(function, options)


class PartLibrary(LightLibrary):
    """Code to be linked into other code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """The address of the function for Python: there is none."""
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        """Numba asks it for ``set_env`` alone, which would write into the machine code."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Does nothing: without machine code, no address of a Python object is needed."""


class ShortLoopLibrary(LightLibrary):
    """Code whose loops run over seats, colours or cards.

    Vector instructions for so few steps gain nothing, and make the machine code twice as long.
    """

    def _optimize_final_module(self) -> None:
        passes, options = self._codegen._module_pass_manager(loop_vectorize=False)
        passes.run(self._final_module, options)


class PartCompiler(_Compiler):  # type: ignore[misc]
    """Numba's compiler, with a library of its own kind for the code."""

    library = PartLibrary

    def define_pipelines(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = self.library(codegen, self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class DisjointCompiler(PartCompiler):
    """Compiles a function whose array arguments never overlap.

    So a loop needs no check whether what it writes is also what it reads.
    """

    def define_pipelines(self) -> Any:
        self.state.flags.noalias = True
        return super().define_pipelines()


class ShortLoopCompiler(PartCompiler):
    """Compiles code with short loops."""

    library = ShortLoopLibrary


def compile_part(part: Any, signature: tuple[Any, ...]) -> Any:
    """Compiles a function for its callers, in the place of the method ``compile``.

    Numba's own compiles again for each constant that is an argument and for each size of an
    integer, and takes the time of every call of LLVM. All of that is a tenth of the time of
    compiling.
    """
    arguments = tuple(map(_general, signature))
    if arguments not in part.overloads:
        with part._compiling_counter:
            part.add_overload(part._compiler.compile(arguments, None))
    return part.overloads[arguments].entry_point


def _general(argument: Any) -> Any:
    """The type of any integer for a constant and for a small integer; Numba converts the value."""
    general = _types.unliteral(argument)
    return _types.int64 if general in _types.signed_domain else general
