"""The programs of examples/protocol."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "protocol"
NEEDED = "MINDUP_NEEDS_LANGUAGES"
"""Where this variable is set, tests of programs in other languages fail, and are not skipped."""


def python_greedy(_: Path) -> str:
    return python(FOLDER / "greedy.py")


def python(script: Path) -> str:
    """The command that runs a script with the interpreter of the tests."""
    return shlex.join([sys.executable, str(script)])


def javascript_greedy(_: Path) -> str:
    return shlex.join([_tool("node", "nodejs"), str(FOLDER / "greedy.js")])


def cpp_greedy(folder: Path) -> str:
    """Builds the program in ``folder``, with all warnings as errors."""
    program = folder / "greedy"
    words = ["-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    source = str(FOLDER / "greedy.cpp")
    subprocess.run([_tool("g++", "g++"), *words, source, "-o", str(program)], check=True)
    return shlex.quote(str(program))


GREEDY: dict[str, Callable[[Path], str]] = {
    "C++": cpp_greedy,
    "JavaScript": javascript_greedy,
    "Python": python_greedy,
}
"""By language, a function that makes the command in a folder."""


def _tool(name: str, package: str) -> str:
    found = shutil.which(name)
    return _missing(f"no {name}: apt-get install {package}") if found is None else found


def _missing(reason: str) -> Never:
    if os.environ.get(NEEDED):
        pytest.fail(f"{reason}, and {NEEDED} is set")
    pytest.skip(reason)
