"""The command of a program: its words, and what to call it."""

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path


def split_command(command: str) -> list[str]:
    """The words of a command, split as a shell would; no shell runs it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise ValueError("process needs a command, as in process:./mybot")
    if shutil.which(words[0]) is None:
        raise ValueError(
            f"no program {words[0]!r} to run: it must be a path to an executable file, or be "
            "found on the path of the shell"
        )
    return words


def script_of(words: Sequence[str]) -> str:
    """The name of the last argument that is a file, or else of the program."""
    files = [word for word in words[1:] if Path(word).is_file()]
    return Path([words[0], *files][-1]).name
