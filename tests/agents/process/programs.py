"""The programs of examples/protocol, and the same bot in this process."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Never

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.process.seat_views import seat_views
from mindup_env import GameConfig

FOLDER = Path(__file__).parents[3] / "examples" / "protocol"
NEEDED = "MINDUP_NEEDS_LANGUAGES"
"""Where this variable is set, tests of programs in other languages fail, and are not skipped."""


class GreedyInProcess:
    """The functions of ``greedy.py``, called row by row."""

    def __init__(self, config: GameConfig) -> None:
        self._config = config
        self._choose = load_greedy().choose
        self._deck = {card.number: card._asdict() for card in config.deck}
        self._colours = ["orange", "pink", "blue", "green", "purple"]

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],  # noqa: ARG002
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        seats = seat_views(self._config, observation, random_bits)
        return np.array([self._choose(seat, self._deck, self._colours) - 1 for seat in seats])


@cache
def load_greedy() -> ModuleType:
    spec = importlib.util.spec_from_file_location("greedy_program", FOLDER / "greedy.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
