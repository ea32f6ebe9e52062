"""The folder of a training run: its settings, its versions, and the paths of its results."""

import json
import platform
import shlex
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from mindup_env.checks import check_entries
from mindup_env.files import write_text
from mindup_training.settings import SNAPSHOT_RULE, TrainSettings

_LIBRARIES = ("mindup-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


class RunPaths:
    """The paths of the results of a training.

    Attributes:
        path (Path): the folder.
        policy (Path): the policy file.
        metrics (Path): the metrics of each rollout, as CSV.
        evaluations (Path): the win shares at each checkpoint, as CSV.
        tensorboard (Path): the folder with the same figures for TensorBoard.
        curve (Path): the picture of the win shares over time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.policy = path / "policy.safetensors"
        self.metrics = path / "metrics.csv"
        self.evaluations = path / "evaluations.csv"
        self.tensorboard = path / "tensorboard"
        self.curve = path / "learning_curve.png"


class RunFolder(RunPaths):
    """The folder of a training run that can be resumed.

    Attributes:
        settings (TrainSettings): the settings of the run.
        command (str): the command that repeats the run.
        checkpoints (Path): the folder of the checkpoints.
        snapshots (Path): the folder of the snapshots of self-play.
    """

    def __init__(self, path: Path, settings: TrainSettings, command: str) -> None:
        super().__init__(path)
        self.settings = settings
        self.command = command
        self.checkpoints = path / "checkpoints"
        self.snapshots = path / "snapshots"

    @classmethod
    def create(cls, path: Path, settings: TrainSettings, words: list[str]) -> Self:
        """``words`` are the command that repeats the run, from the subcommand on."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise ValueError(
                f"{path} already exists: give another folder, or resume with --resume {path}"
            )
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, settings, shlex.join(["mindup", *words]))
        plain: dict[str, Any] = {
            "command": folder.command,
            "arguments": words[1:],
            "settings": settings.to_dict(),
            "config": [config.to_dict() for config in settings.configs],
            "versions": _versions(settings),
        }
        if settings.self_play:
            plain["rule_of_self_play"] = SNAPSHOT_RULE
        write_text(folder._description, json.dumps(plain, indent=2) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run in a folder that ``create`` made.

        Raises:
            ValueError: if there is no run, or its description is damaged.
        """
        description = path / "run.json"
        try:
            plain = json.loads(description.read_text(encoding="utf-8"))
            entries = ("command", "arguments", "settings", "config", "versions")
            check_entries("a run", plain, entries, ["rule_of_self_play"])
            settings = TrainSettings.from_dict(plain["settings"])
        except OSError:
            raise ValueError(f"no training run in {path}: it has no run.json") from None
        except ValueError as error:
            raise ValueError(f"{description} does not describe a run: {error}") from None
        return cls(path, settings, str(plain["command"]))

    @property
    def subcommand(self) -> str:
        """The command that began the run, and that resumes it."""
        return shlex.split(self.command)[1]

    @property
    def _description(self) -> Path:
        return self.path / "run.json"

    def changed_versions(self) -> list[str]:
        """The versions that differ from those that the run began with."""
        began: dict[str, Any] = json.loads(self._description.read_text(encoding="utf-8"))[
            "versions"
        ]
        now = _versions(self.settings)
        return [
            f"{name} {began.get(name)}, now {now[name]}"
            for name in now
            if began.get(name) != now[name]
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
