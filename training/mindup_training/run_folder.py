"""The folder of a training run: its description, and the paths of its results."""

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from mindup_env.cli import advising
from mindup_env.runs.files import is_leftover, remove_leftovers, write_text
from mindup_env.runs.folder_lock import LOCK_NAME, lock_folder
from mindup_training.run_description import RunDescription
from mindup_training.settings import TrainSettings

DESCRIPTION = "run.json"


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

    def check_unused(self) -> None:
        """Refuses the folder of another training."""
        if self.policy.exists():
            raise ValueError(f"{self.policy} already exists: give another folder with --out")


class RunFolder(RunPaths):
    """The folder of a training run that can be resumed.

    Attributes:
        description (RunDescription): what it began with.
        checkpoints (Path): the folder of the checkpoints.
        snapshots (Path): the folder of the snapshots of self-play.
        policies (Path): the folder of some policies of earlier checkpoints, named by timesteps.
    """

    def __init__(self, path: Path, description: RunDescription) -> None:
        super().__init__(path)
        self.description = description
        self.checkpoints = path / "checkpoints"
        self.snapshots = path / "snapshots"
        self.policies = path / "policies"

    @classmethod
    def create(cls, path: Path, settings: TrainSettings, words: list[str]) -> Self:
        """``words`` are the command that repeats the run, from the subcommand on."""
        check_unused(path)
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, RunDescription.of(settings, words))
        folder._write_description()
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run in a folder that ``create`` made.

        Raises:
            ValueError: if there is no run, or its description is damaged.
        """
        try:
            text = (path / DESCRIPTION).read_text(encoding="utf-8")
            description = RunDescription.from_dict(json.loads(text))
        except (FileNotFoundError, NotADirectoryError):
            raise ValueError(f"no training run in {path}: it has no {DESCRIPTION}") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path / DESCRIPTION} does not describe a run: {error}") from None
        return cls(path, description)

    @property
    def settings(self) -> TrainSettings:
        """The settings of the run."""
        return self.description.settings

    @property
    def command(self) -> str:
        """The command that repeats the run."""
        return self.description.command

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
    def policy_spec(self) -> str:
        """The bot that plays the policy, with the code that it needs."""
        return f"policy:{self.policy}{self.settings.own_code.as_options}"

    def kept_policy(self, timesteps: int) -> Path | None:
        """The file in which the policy of a checkpoint is kept; None if it is not kept.

        Policies are kept at about twice the timesteps of the one before: a long run has few.
        """
        kept = [int(path.stem) for path in self.policies.glob("*.safetensors")]
        if any(timesteps / 2 < earlier < timesteps for earlier in kept):
            return None
        return self.policies / f"{timesteps:012d}.safetensors"

    def extend(self, at: int, timesteps: int) -> None:
        """Gives a run that has learned from ``at`` timesteps a later end."""
        self.description = self.description.extended(at, timesteps)
        self._write_description()

    def remove_leftovers(self) -> None:
        """Removes the unfinished files of a killed process."""
        for folder in (self.path, self.checkpoints, self.snapshots, self.policies):
            remove_leftovers(folder)

    def how_to_go_on(self) -> str:
        """What a person can do after an interruption."""
        if not (self.path / DESCRIPTION).exists():
            return f"there is no run in {self.path} any more: start it again"
        return f"to resume: {self.resume_command}"

    def _write_description(self) -> None:
        text = json.dumps(self.description.to_dict(), indent=2) + "\n"
        write_text(self.path / DESCRIPTION, text)


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


def make_folder(label: str, settings: TrainSettings) -> Path:
    """A new folder in ``runs``; another process that starts the same run gets another."""
    players = "-".join(map(str, settings.players))
    name = f"{label}-{players}p-seed{settings.seed}"
    number = 1
    while True:
        path = Path("runs") / (name if number == 1 else f"{name}-{number}")
        if not path.exists():
            with suppress(FileExistsError):
                path.mkdir(parents=True)
                return path
        number += 1


def check_unused(path: Path) -> None:
    """Refuses a folder with files in it, but for what a start that was killed left."""
    if not path.exists():
        return
    if path.is_dir() and all(
        entry.name == LOCK_NAME or is_leftover(entry) for entry in path.iterdir()
    ):
        return
    raise ValueError(f"{path} already exists: give another folder, or resume with --resume {path}")
