"""What ``run.json`` says of a training run: its settings, its command, and what it began with."""

import platform
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, Self

from mindup_env.settings.checks import as_list, check_entries, check_int
from mindup_training.code_record import CodeRecord, read_record, record_code
from mindup_training.settings import SNAPSHOT_RULE, TrainSettings

_LIBRARIES = ("mindup-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


class Extension(NamedTuple):
    """A finished run was given more timesteps.

    Attributes:
        at: the timesteps that it had learned from.
        end: the timesteps of its settings until then.
    """

    at: int
    end: int


@dataclass(frozen=True)
class RunDescription:
    """The description of a training run.

    Attributes:
        settings: the settings of the run.
        command: the command that repeats the run.
        versions: the versions of the libraries that the run began with.
        code: the files of the user's own code that it began with.
        extensions: how it was extended, the first first.
    """

    settings: TrainSettings
    command: str
    versions: Mapping[str, str]
    code: CodeRecord
    extensions: tuple[Extension, ...] = ()

    @classmethod
    def of(cls, settings: TrainSettings, words: list[str]) -> Self:
        """That of a new run; ``words`` are its command, from the subcommand on."""
        command = shlex.join(["mindup", *words])
        return cls(settings, command, _versions(settings), record_code(settings))

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Reads what ``to_dict`` returned."""
        entries = ("command", "arguments", "settings", "config", "versions")
        check_entries("a run", plain, entries, ["rule_of_self_play", "code", "extensions"])
        return cls(
            TrainSettings.from_dict(plain["settings"]),
            _read_command(plain["command"]),
            _read_versions(plain["versions"]),
            read_record(plain.get("code", {})),
            tuple(map(_read_extension, as_list("extensions", plain.get("extensions", [])))),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {
            "command": self.command,
            "arguments": shlex.split(self.command)[2:],
            "settings": self.settings.to_dict(),
            "config": [config.to_dict() for config in self.settings.configs],
            "versions": self.versions,
        }
        if self.settings.self_play:
            plain["rule_of_self_play"] = SNAPSHOT_RULE
        if self.code:
            plain["code"] = self.code
        if self.extensions:
            plain["extensions"] = [each._asdict() for each in self.extensions]
        return plain

    def extended(self, at: int, timesteps: int) -> Self:
        """That of the run with more timesteps, after it has learned from ``at``."""
        extension = Extension(at, self.settings.timesteps)
        settings = self.settings.changed({"timesteps": timesteps})
        return replace(self, settings=settings, extensions=(*self.extensions, extension))

    def changed_versions(self) -> list[str]:
        """The versions that differ from those that the run began with."""
        now = _versions(self.settings)
        return [
            f"{name} {self.versions.get(name)}, now {now[name]}"
            for name in now
            if self.versions.get(name) != now[name]
        ]


def _read_command(command: Any) -> str:
    if not isinstance(command, str) or len(shlex.split(command)) < 2:
        raise ValueError(f"command must be the text of a mindup command, not {command!r}")
    return command


def _read_versions(versions: Any) -> dict[str, str]:
    if not isinstance(versions, dict):
        raise ValueError(f"versions must be a dict of texts, not {versions!r}")
    return {name: str(found) for name, found in versions.items()}


def _read_extension(plain: Any) -> Extension:
    check_entries("an extension", plain, Extension._fields)
    return Extension(**{name: check_int(name, plain[name], 0) for name in Extension._fields})


def _versions(settings: TrainSettings) -> dict[str, str]:
    libraries = (*_LIBRARIES, "ray") if settings.rllib else _LIBRARIES
    found = {name: _version(name) for name in libraries}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
