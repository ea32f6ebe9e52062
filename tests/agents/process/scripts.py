"""Programs for the tests: a correct one in Python, changed in one place."""

import shlex
import sys
import textwrap
from pathlib import Path

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
