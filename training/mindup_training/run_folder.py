"""The folder of a training run: what was asked, by which versions, and all that came of it."""

import json
import platform
import shlex
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from mindup_env.checks import check_entries
from mindup_env.files import write_text
from mindup_training.self_play import RULE
from mindup_training.settings import TrainSettings

_LIBRARIES = ("mindup-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


class RunFolder:
    def __init__(self, path: Path, settings: TrainSettings, command: str) -> None:
        self.path = path
        self.settings = settings
        self.command = command
        self.checkpoints = path / "checkpoints"
        self.snapshots = path / "snapshots"
        self.policy = path / "policy.safetensors"
        self.metrics = path / "metrics.csv"
        self.evaluations = path / "evaluations.csv"
        self.tensorboard = path / "tensorboard"
        self.curve = path / "learning_curve.png"

    @classmethod
    def create(cls, path: Path, settings: TrainSettings, words: list[str]) -> Self:
        """``words`` are those of the command that trains the same, from the subcommand on."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise ValueError(f"{path} is there already; go on with it by --resume {path}")
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, settings, shlex.join(["mindup", *words]))
        plain = {
            "command": folder.command,
            "arguments": words[1:],
            "settings": settings.to_dict(),
            "config": [config.to_dict() for config in settings.configs],
            "versions": _versions(settings),
        }
        if settings.self_play:
            plain["rule_of_self_play"] = RULE
        write_text(folder._described, json.dumps(plain, indent=2) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        described = path / "run.json"
        try:
            plain = json.loads(described.read_text(encoding="utf-8"))
            entries = ("command", "arguments", "settings", "config", "versions")
            check_entries("a run", plain, entries, ["rule_of_self_play"])
            settings = TrainSettings.from_dict(plain["settings"])
        except OSError:
            raise ValueError(f"there is no training run in {path}") from None
        except ValueError as error:
            raise ValueError(f"{described} does not describe a run: {error}") from None
        return cls(path, settings, str(plain["command"]))

    @property
    def subcommand(self) -> str:
        """The one that began it, and goes on with it."""
        return shlex.split(self.command)[1]

    @property
    def _described(self) -> Path:
        return self.path / "run.json"

    def changed_versions(self) -> list[str]:
        """Where what runs now is not what the run was begun with."""
        begun: dict[str, Any] = json.loads(self._described.read_text(encoding="utf-8"))["versions"]
        now = _versions(self.settings)
        return [
            f"{name} {begun.get(name)}, now {now[name]}"
            for name in now
            if begun.get(name) != now[name]
        ]


def _versions(settings: TrainSettings) -> dict[str, str]:
    libraries = (*_LIBRARIES, "ray") if settings.rllib else _LIBRARIES
    found = {name: _version(name) for name in libraries}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
