"""The entries of an experiment: presets with settings, and commands of other learners."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from mindup_env.agent import make_agent
from mindup_env.cli import COMMANDS
from mindup_env.settings.checks import check_entries, suggestion
from mindup_env.settings.declaration import options_of
from mindup_training.opponent_mix import parse_share
from mindup_training.settings import TrainSettings
from mindup_training.settings.options import command_text, sections_of
from mindup_training.settings.presets import read_preset

MINDUP, PYTHON = "mindup", "python"
_SEED, _OUT = "{seed}", "{out}"
_OF_THE_EXPERIMENT = {"seed": "--seeds sets it"}
_OF_A_PRESET = {"game": "only a preset can have it"}


def setting_names() -> list[str]:
    """The names of all settings in a preset, such as ``ppo.learning_rate``."""
    names = [name for name in options_of(TrainSettings) if name not in _OF_THE_EXPERIMENT]
    return names + [
        f"{name}.{key}"
        for name, kind in sections_of(TrainSettings).items()
        for key in options_of(kind)
    ]


def check_setting_name(entry: str, name: str) -> None:
    """Refuses what is no setting, or none that an entry can change."""
    if reason := {**_OF_THE_EXPERIMENT, **_OF_A_PRESET}.get(name.partition(".")[0]):
        raise ValueError(f"entry {entry!r} cannot set {name!r}: {reason}")
    if name not in (known := setting_names()):
        raise ValueError(f"entry {entry!r}: unknown setting {name!r}{suggestion(name, known)}")


@dataclass(frozen=True)
class PresetEntry:
    """Runs of ``mindup train`` with a preset.

    Attributes:
        name: what reports call it.
        preset: the name of a preset, or the path of a TOML file.
        settings: settings that override those of the preset, in the sections of a preset.
    """

    name: str
    preset: str
    settings: Mapping[str, Any]

    @classmethod
    def from_dict(cls, name: str, plain: Mapping[str, Any]) -> Self:
        check_entries(f"entry {name!r}", plain, ["preset"], ["settings"])
        if not isinstance(plain["preset"], str):
            raise ValueError(f"entry {name!r}: preset must be a text, not {plain['preset']!r}")
        return cls(name, plain["preset"], plain.get("settings", {}))

    def to_dict(self) -> dict[str, Any]:
        return {"preset": self.preset, "settings": dict(self.settings)}

    def with_setting(self, name: str, value: Any, label: str) -> Self:
        """This entry with one more setting, which its name mentions."""
        section, _, key = name.rpartition(".")
        entries = {**self.settings.get(section, {}), key: value} if section else value
        settings = {**self.settings, section or key: entries}
        return type(self)(f"{self.name},{key}={label}", self.preset, settings)

    def train_settings(self) -> TrainSettings:
        """The settings of its runs, without the seed."""
        try:
            return read_preset(self.preset).changed(self.settings)
        except ValueError as error:
            raise ValueError(f"entry {self.name!r}: {error}") from None

    def check(self) -> None:
        """Refuses settings and bots with which no run can start."""
        for name, value in self.settings.items():
            in_section = name in sections_of(TrainSettings) and isinstance(value, Mapping)
            for each in (f"{name}.{key}" for key in value) if in_section else (name,):
                check_setting_name(self.name, each)
        settings = self.train_settings()
        opponents = [parse_share(text).spec for text in settings.opponents]
        for bot in {*opponents, *settings.evaluate_against}:
            for config in settings.tables.values():
                make_agent(bot, config)

    @property
    def threads(self) -> int:
        """One unless set: results differ slightly with another number of threads."""
        return self.train_settings().threads or 1

    def words(self, seed: int, out: Path) -> list[str]:
        """The command of the run with a seed."""
        given = {**self.settings, "threads": self.threads, "seed": seed}
        program = [MINDUP, "train", "--preset", self.preset]
        return [*shlex.split(command_text(program, given, TrainSettings)), "--out", str(out)]


@dataclass(frozen=True)
class CommandEntry:
    """Runs of a command that writes a run folder, with ``{seed}`` and ``{out}`` in it.

    Attributes:
        name: what reports call it.
        command: the text of the command.
    """

    name: str
    command: str

    threads = 1  # as far as an experiment knows

    @classmethod
    def from_dict(cls, name: str, plain: Mapping[str, Any]) -> Self:
        check_entries(f"entry {name!r}", plain, ["command"])
        if not isinstance(plain["command"], str):
            raise ValueError(f"entry {name!r}: command must be a text, not {plain['command']!r}")
        return cls(name, plain["command"])

    def to_dict(self) -> dict[str, Any]:
        return {"command": self.command}

    def check(self) -> None:
        """Refuses a command that cannot be started, or that does not say where its seed goes."""
        for mark in (_SEED, _OUT):
            if mark not in self.command:
                raise ValueError(f"entry {self.name!r}: its command must contain {mark}")
        try:
            program, *words = shlex.split(self.command)
            _check_program(program, words)
        except ValueError as error:
            raise ValueError(f"entry {self.name!r}: {error}") from None

    def words(self, seed: int, out: Path) -> list[str]:
        """The command of the run with a seed."""
        return [
            word.replace(_SEED, str(seed)).replace(_OUT, str(out))
            for word in shlex.split(self.command)
        ]


Entry = PresetEntry | CommandEntry


def read_entry(name: str, plain: Any) -> Entry:
    """An entry from plain data, as ``to_dict`` made it."""
    if isinstance(plain, Mapping) and "command" in plain:
        return CommandEntry.from_dict(name, plain)
    if isinstance(plain, Mapping) and "preset" in plain:
        return PresetEntry.from_dict(name, plain)
    raise ValueError(f"entry {name!r} must be a table with a preset or a command")


def _check_program(program: str, words: Sequence[str]) -> None:
    if program == MINDUP:
        known = sorted(entry.name for entry in entry_points(group=COMMANDS))
        if not words or words[0] not in known:
            name = words[0] if words else ""
            raise ValueError(f"unknown command 'mindup {name}'{suggestion(name, known)}")
        return
    is_module = words[:1] == ["-m"] and len(words) > 1
    if program == PYTHON and is_module and _is_module(words[1]):
        return
    if program == PYTHON and words and Path(words[0]).is_file():
        return
    raise ValueError(
        f"unknown program {shlex.join([program, *words[:2]])!r}; accepted: mindup COMMAND, "
        "python -m MODULE, python FILE"
    )


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
