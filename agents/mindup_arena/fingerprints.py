"""What an arena plays with: the versions of libraries, and hashes of the code of bots."""

import hashlib
import sys
from collections.abc import Mapping
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Any

from mindup_env.agent import NamedAgent

Fingerprints = Mapping[str, str]
"""By the names of libraries their versions, and by those of bots a hash."""

_DIGITS = 16


def changed(begun: Fingerprints, now: Fingerprints) -> list[str]:
    """The names of what differs, of what is known of both."""
    return [name for name in begun if name in now and begun[name] != now[name]]


def versions_of() -> dict[str, str]:
    """The versions of the libraries that can change what a bot plays."""
    return {name: version(name) for name in ("mindup-env", "numpy", "numba")}


def hash_code(bot: NamedAgent, options: Mapping[str, Any]) -> str:
    """The hash of the files that a bot consists of, and of those that its options name.

    It consists of the folder of its module, if that is a package; otherwise of the module alone.
    The version of its package stands for the rest of a registered bot without a folder of its own.
    """
    files: set[Path] = set()
    for module in {bot.module, getattr(bot.make, "__module__", bot.module)}:
        files |= _files_of(module, alone=":" not in bot.name)
    for value in options.values():
        if isinstance(value, str | Path) and value != "":
            path = Path(value)
            files |= {path} if path.is_file() else _files_in(path)
    content = b"".join(path.name.encode() + path.read_bytes() for path in sorted(files))
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def _files_of(module: str, *, alone: bool) -> set[Path]:
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:
        return set()  # it was typed at a prompt
    start = Path(path)
    packages = [*takewhile(lambda each: (each / "__init__.py").exists(), start.parents)]
    is_alone = not packages or (alone and len(packages) == 1)
    return {start} if is_alone else _files_in(start.parent)


def _files_in(folder: Path) -> set[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path for path in found if path.parent.name != "__pycache__"}
