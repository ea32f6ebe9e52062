"""The folder of a training run: its settings, its versions, and the paths of its results."""

import json
import platform
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from mindup_env.checks import check_entries
from mindup_env.cli import advising
from mindup_env.files import is_leftover, remove_leftovers, write_text
from mindup_env.folder_lock import LOCK_NAME, lock_folder
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
        versions (dict[str, str]): the versions of the libraries that the run began with.
        checkpoints (Path): the folder of the checkpoints.
        snapshots (Path): the folder of the snapshots of self-play.
    """

    def __init__(
        self, path: Path, settings: TrainSettings, command: str, versions: dict[str, str]
    ) -> None:
        super().__init__(path)
        self.settings = settings
        self.command = command
        self.versions = versions
        self.checkpoints = path / "checkpoints"
        self.snapshots = path / "snapshots"

    @classmethod
    def create(cls, path: Path, settings: TrainSettings, words: list[str]) -> Self:
        """``words`` are the command that repeats the run, from the subcommand on."""
        check_unused(path)
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, settings, shlex.join(["mindup", *words]), _versions(settings))
        plain: dict[str, Any] = {
            "command": folder.command,
            "arguments": words[1:],
            "settings": settings.to_dict(),
            "config": [config.to_dict() for config in settings.configs],
            "versions": folder.versions,
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
            command, versions = _read_command(plain["command"]), _read_versions(plain["versions"])
        except (FileNotFoundError, NotADirectoryError):
            raise ValueError(f"no training run in {path}: it has no run.json") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{description} does not describe a run: {error}") from None
        return cls(path, settings, command, versions)

    @property
    def subcommand(self) -> str:
        """The command that began the run, and that resumes it."""
        return shlex.split(self.command)[1]

    @property
    def arguments(self) -> list[str]:
        """The words of the command after the subcommand."""
        return shlex.split(self.command)[2:]

    @property
    def resume_command(self) -> str:
        """The command that resumes the run."""
        return shlex.join(["mindup", self.subcommand, "--resume", str(self.path)])

    @property
    def _description(self) -> Path:
        return self.path / "run.json"

    def changed_versions(self) -> list[str]:
        """The versions that differ from those that the run began with."""
        now = _versions(self.settings)
        return [
            f"{name} {self.versions.get(name)}, now {now[name]}"
            for name in now
            if self.versions.get(name) != now[name]
        ]

    def remove_leftovers(self) -> None:
        """Removes the unfinished files of a killed process."""
        for folder in (self.path, self.checkpoints, self.snapshots):
            remove_leftovers(folder)

    def how_to_go_on(self) -> str:
        """What a person can do after an interruption."""
        if not self._description.exists():
            return f"there is no run in {self.path} any more: start it again"
        return f"to resume: {self.resume_command}"


@contextmanager
def new_run(path: Path, settings: TrainSettings, words: list[str]) -> Iterator[RunFolder]:
    """A new run, whose folder is locked until the context ends; see ``RunFolder.create``."""
    check_unused(path)
    with lock_folder(path):
        folder = RunFolder.create(path, settings, words)
        folder.remove_leftovers()
        with advising(folder.how_to_go_on):
            yield folder


@contextmanager
def open_run(path: Path) -> Iterator[RunFolder]:
    """The run in a folder, which is locked until the context ends."""
    RunFolder.open(path)  # where there is no run, no folder is made for the lock
    with lock_folder(path):
        folder = RunFolder.open(path)
        folder.remove_leftovers()
        with advising(folder.how_to_go_on):
            yield folder


def check_unused(path: Path) -> None:
    """Refuses a folder with files in it, but for what a start that was killed left."""
    if not path.exists():
        return
    if path.is_dir() and all(
        entry.name == LOCK_NAME or is_leftover(entry) for entry in path.iterdir()
    ):
        return
    raise ValueError(f"{path} already exists: give another folder, or resume with --resume {path}")


def _read_command(command: Any) -> str:
    if not isinstance(command, str) or len(shlex.split(command)) < 2:
        raise ValueError(f"command must be the text of a mindup command, not {command!r}")
    return command


def _read_versions(versions: Any) -> dict[str, str]:
    if not isinstance(versions, dict):
        raise ValueError(f"versions must be a dict of texts, not {versions!r}")
    return {name: str(found) for name, found in versions.items()}


def _versions(settings: TrainSettings) -> dict[str, str]:
    libraries = (*_LIBRARIES, "ray") if settings.rllib else _LIBRARIES
    found = {name: _version(name) for name in libraries}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
