"""Fingerprints of bots: hashes of all files that they play from, and the versions of libraries.

A report with the results of two versions of a bot would be one of neither.
"""

import hashlib
import json
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

from mindup_arena.own_source import own_files
from mindup_env.agent import NamedCode, agent_options, find_agent
from mindup_env.settings.checks import check_entries

_LIBRARIES = "mindup-env", "numpy", "numba"
_DIGITS = 16
FileHashes = Mapping[str, str]


class Fingerprints(NamedTuple):
    """What the bots of an arena play from.

    Attributes:
        versions: The versions of the libraries that can change what a bot plays.
        bots: For each bot, by its spec, the hashes of its files by their names.
    """

    versions: Mapping[str, str]
    bots: Mapping[str, FileHashes]

    @classmethod
    def of(cls, bots: Sequence[str]) -> Self:
        """Those of bots that can be made now."""
        versions = {name: version(name) for name in _LIBRARIES}
        return cls(versions, {bot: hash_bot(bot) for bot in bots})

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Reads what ``_asdict`` returned."""
        check_entries("fingerprints", plain, cls._fields)
        for texts in (plain["versions"], *_check_dict(plain["bots"]).values()):
            if not all(isinstance(text, str) for text in _check_dict(texts).values()):
                raise ValueError("fingerprints must be texts")
        return cls(**plain)

    def digests(self) -> dict[str, str]:
        """One hash for each bot."""
        return {bot: _hash(json.dumps(self.bots[bot]).encode()) for bot in self.bots}

    def changes(self, now: "Fingerprints") -> list[str]:
        """What differs from these to those of now, for a person."""
        found = [
            f"{name} was {self.versions.get(name)} and is {now.versions[name]}"
            for name in now.versions
            if self.versions.get(name) != now.versions[name]
        ]
        for bot, files in now.bots.items():
            found += file_changes(f"bot {bot}", self.bots.get(bot, {}), files)
        return found


def _check_dict(plain: Any) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise ValueError(f"fingerprints must be dicts, not {plain!r}")
    return plain


def file_changes(owner: str, before: FileHashes, now: FileHashes) -> list[str]:
    """What differs between two hashes of the files of an owner, for a person."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [f"{owner}: {name} {_change(name, before, now)}" for name in names]


def _change(name: str, before: FileHashes, now: FileHashes) -> str:
    if name in before and name in now:
        return "has changed"
    return "is new" if name in now else "is gone"


def hash_bot(bot: str) -> dict[str, str]:
    """Of the source of a bot, and of the files that its options name."""
    agent = find_agent(bot)
    return hash_files(agent, agent_options(agent))


def hash_files(code: NamedCode, options: Mapping[str, Any]) -> dict[str, str]:
    """The hashes of the source of named code and of the files that its options name."""
    files: dict[str, Path] = {}
    for module in {code.module, getattr(code.make, "__module__", code.module)}:
        files |= own_files(module)
    for name, path in _named_files(options, is_command=code.takes_rest_of_spec):
        files[name] = path
    declare = getattr(code.make, "fingerprint_files", None)
    for path in declare(**options) if callable(declare) else ():
        files[str(path)] = Path(path)
    return {name: hash_file(files[name]) for name in sorted(files)}


def _named_files(options: Mapping[str, Any], *, is_command: bool) -> Iterator[tuple[str, Path]]:
    """The files and the contents of folders that options name, and the program of a command."""
    for value in options.values():
        if not isinstance(value, str) or not value:
            continue
        words = [value]
        with suppress(ValueError):  # it has an open quote
            words = shlex.split(value) if is_command else words
        program = shutil.which(words[0]) if is_command else None
        for word in words if program is None else [program, *words[1:]]:
            path = Path(word)
            if path.is_dir():
                inside = (each for each in path.rglob("*") if each.is_file())
                yield from ((each.as_posix(), each) for each in inside)
            elif path.is_file():
                yield path.as_posix(), path


def hash_file(path: Path) -> str:
    """The hash of a file's content."""
    return _hash(path.read_bytes())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
