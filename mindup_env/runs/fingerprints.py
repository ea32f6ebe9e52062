"""Fingerprints of what a run plays or trains with: the versions of libraries, and hashes of files.

A result of two versions of a bot would be one of neither.
"""

import hashlib
import json
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from mindup_env.agent import NamedCode

LIBRARIES = "mindup-env", "numpy", "numba"
"""Those that can change what a bot plays."""
_DIGITS = 16


class Fingerprints(NamedTuple):
    """What a run is made from."""

    versions: Mapping[str, str]  # of the libraries that can change the results
    files: Mapping[str, Mapping[str, str]]  # of each owner, such as a bot's spec: hashes by name

    def digests(self) -> dict[str, str]:
        """One hash for each owner."""
        return {owner: _hash(json.dumps(hashes).encode()) for owner, hashes in self.files.items()}

    def changes(self, now: "Fingerprints") -> list[str]:
        """What differs from these to those of now, as text."""
        found = [
            f"{name} was {self.versions.get(name)} and is {now.versions[name]}"
            for name in now.versions
            if self.versions.get(name) != now.versions[name]
        ]
        for owner, hashes in now.files.items():
            had = self.files.get(owner, {})
            for name in {**had, **hashes}:
                if had.get(name) != hashes.get(name):
                    change = "has changed" if name in hashes else "is gone"
                    found.append(f"{owner}: {name} {change if name in had else 'is new'}")
        return found


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


def hash_code(code: NamedCode, options: Mapping[str, Any]) -> dict[str, str]:
    """The hashes of the files that code consists of, and of those that its options name.

    The code is the folder of its module, if that is a package; otherwise the module alone. A module
    of a registered name that is not in a folder of its own is alone too: the version of its package
    stands for the rest.
    """
    is_registered = ":" not in code.name
    files: dict[str, Path] = {}
    for module in {code.module, getattr(code.make, "__module__", code.module)}:
        files |= _own_files(module, alone=is_registered)
    files |= _named_files(options, is_command=code.takes_rest_of_spec)
    declare: Callable[..., Any] | None = getattr(code.make, "fingerprint_files", None)
    for path in declare(**options) if callable(declare) else ():
        files[str(path)] = Path(path)
    return {name: hash_file(files[name]) for name in sorted(files)}


def hash_file(path: Path) -> str:
    """The hash of a file's content."""
    return _hash(path.read_bytes())


def _own_files(module: str, *, alone: bool) -> dict[str, Path]:
    """The files of a module, by their paths from the folder in which its package lies."""
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:
        return {}  # it was typed at a prompt
    start = Path(path)
    packages = [*takewhile(lambda each: (each / "__init__.py").exists(), start.parents)]
    root = packages[-1].parent if packages else start.parent
    is_alone = not packages or (alone and len(packages) == 1)
    found = [start] if is_alone else _files_in(start.parent)
    return {each.relative_to(root).as_posix(): each for each in found}


def _files_in(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in found if path.parent.name != "__pycache__"]


def _named_files(options: Mapping[str, Any], *, is_command: bool) -> dict[str, Path]:
    """The files and the contents of folders that options name, and the program of a command."""
    found: list[Path] = []
    for value in options.values():
        words = [str(value)] if isinstance(value, str | Path) else []
        with suppress(ValueError):  # it has an open quote
            words = [each for word in words for each in shlex.split(word)] if is_command else words
        if is_command and words:
            words[0] = shutil.which(words[0]) or words[0]
        for path in map(Path, filter(None, words)):
            found += _files_in(path) if path.is_dir() else [path] * path.is_file()
    return {path.as_posix(): path for path in found}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
