"""What a run plays or trains with: the versions of libraries, and hashes of code."""

import hashlib
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from pathlib import Path
from typing import Any

from mindup_env.agent import NamedCode

Fingerprints = Mapping[str, str]
"""By the names of libraries their versions, and by those of bots and other code a hash."""

LIBRARIES = "mindup-env", "numpy", "numba"
"""Those that can change what a bot plays."""
_DIGITS = 16


def changed(begun: Fingerprints, now: Fingerprints) -> list[str]:
    """The names of what differs, of what is known of both."""
    return [name for name in begun if name in now and begun[name] != now[name]]


def versions_of(libraries: tuple[str, ...] = LIBRARIES) -> dict[str, str]:
    """The installed versions of libraries."""
    return {name: installed_version(name) or "not installed" for name in libraries}


def installed_version(name: str) -> str | None:
    """The version of a library; None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def machine_versions() -> dict[str, str]:
    """Those of Python and of the kind of machine, for results that depend on them."""
    return {"python": platform.python_version(), "machine": platform.machine()}


def hash_code(code: NamedCode, options: Mapping[str, Any]) -> str:
    """The hash of the files that code consists of, and of those that its options name.

    The code is the folder of its module, if that is a package; otherwise the module alone. A module
    of a registered name that is not in a folder of its own is alone too: the version of its package
    stands for the rest.
    """
    files: set[Path] = set()
    for module in {code.module, getattr(code.make, "__module__", code.module)}:
        files |= _files_of(module, alone=":" not in code.name)
    for value in options.values():
        if isinstance(value, str | Path) and value != "":
            path = Path(value)
            files |= {path} if path.is_file() else _files_in(path)
    return _hash(b"".join(path.name.encode() + path.read_bytes() for path in sorted(files)))


def hash_file(path: Path) -> str:
    """The hash of a file's content."""
    return _hash(path.read_bytes())


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


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
