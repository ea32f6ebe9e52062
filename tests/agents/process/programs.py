"""Programs for the tests: those of examples/protocol, and one in Python, changed in one place."""

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "protocol"
NEEDED = "MINDUP_NEEDS_LANGUAGES"
"""Where this variable is set, tests of programs in other languages fail, and are not skipped."""


def cpp_greedy(folder: Path) -> str:
    """Builds the program in ``folder``, with all warnings as errors."""
    program = folder / "greedy"
    words = ["-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    source = str(FOLDER / "greedy.cpp")
    subprocess.run([_tool("g++", "g++"), *words, source, "-o", str(program)], check=True)
    return shlex.quote(str(program))


GREEDY: dict[str, Callable[[Path], str]] = {
    "C++": cpp_greedy,
    "JavaScript": lambda _: shlex.join([_tool("node", "nodejs"), str(FOLDER / "greedy.js")]),
    "Python": lambda _: command(FOLDER / "greedy.py"),
}
"""By language, a function that makes the command in a folder."""


def _tool(name: str, package: str) -> str:
    found = shutil.which(name)
    return _missing(f"no {name}: apt-get install {package}") if found is None else found


def _missing(reason: str) -> Never:
    if os.environ.get(NEEDED):
        pytest.fail(f"{reason}, and {NEEDED} is set")
    pytest.skip(reason)


_PROGRAM = """\
import json, os, sys, time

def send(message):
    print(json.dumps(message), flush=True)

answers = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        ready = {{"type": "ready", "protocol": 1}}
{hello}
        send(ready)
        continue
    seats = message["seats"]
    answer = {{"type": "cards", "id": message["id"], "cards": [min(s["hand"]) for s in seats]}}
    answers += 1
{choose}
    send(answer)
{end}
"""

LAST = 2**53 - 1
"""The random bits of a seat at which some programs misbehave; see ``MARKED``."""
MARKED = f"any(s['random_bits'] == {LAST} for s in seats)"


def program(folder: Path, choose: str = "", hello: str = "", end: str = "") -> str:
    """The command of a program that plays its lowest cards.

    Args:
        folder: where the program is written.
        choose: what it does before it sends ``answer`` to the request of some ``seats``.
        hello: what it does before it sends ``ready``.
        end: what it does at the end of its input.
    """
    path = folder / "program.py"
    text = _PROGRAM.format(
        hello=textwrap.indent(hello, " " * 8), choose=textwrap.indent(choose, " " * 4), end=end
    )
    path.write_text(text, encoding="utf-8")
    return command(path)


def command(path: Path, *words: str) -> str:
    """Runs a script without the packages of the tests, which would only take time to find."""
    return shlex.join([sys.executable, "-I", "-S", str(path), *words])
