"""How Numba compiles the functions that only compiled functions call.

Their code is optimised, and becomes machine code, as a part of the kernels that call them. Numba
would do both for each of them by itself as well, which is a fifth of the time of compiling.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# Numba publishes no types for these.
_Library: Any = JITCodeLibrary
_Compiler: Any = Compiler


class PartLibrary(_Library):  # type: ignore[misc]
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


class PartCompiler(_Compiler):  # type: ignore[misc]
    """Numba's compiler, with a library of this kind for the code."""

    def define_pipelines(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = PartLibrary(codegen, self.state.func_id.func_qualname)
        return super().define_pipelines()
