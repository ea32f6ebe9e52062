"""The folder of a training run: the paths of its results, and how it was extended."""

import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

from mindup_env.agent import POLICY_FILE
from mindup_env.runs import run_folder
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import read_settings

TRAIN, EXPLOIT = "train", "exploit"
"""The commands that make such runs."""
_EXTENSIONS = "extensions"


class RunPaths:
    """The paths of the results of a training.

    Attributes:
        path (Path): the folder.
        policy (Path): the policy file.
        metrics (Path): the metrics of each rollout, as CSV.
        evaluations (Path): the win shares at each checkpoint, as CSV.
        tensorboard (Path): the folder with the same figures for TensorBoard.
        curve (Path): the picture of the win shares over time.
        checkpoints (Path): the folder of the checkpoints.
        snapshots (Path): the folder of the snapshots of self-play.
        policies (Path): the folder of some policies of earlier checkpoints, named by timesteps.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.policy = path / POLICY_FILE
        self.metrics = path / "metrics.csv"
        self.evaluations = path / "evaluations.csv"
        self.tensorboard = path / "tensorboard"
        self.curve = path / "learning_curve.png"
        self.checkpoints = path / "checkpoints"
        self.snapshots = path / "snapshots"
        self.policies = path / "policies"


class Extension(NamedTuple):
    """A finished run was given more timesteps."""

    at: int  # the timesteps that it had learned from
    end: int  # the timesteps of its settings until then


ANY_SETTINGS: Any = SimpleNamespace(from_dict=read_settings)
"""Reads the settings of the learner that they name, in the place of their class."""


class RunFolder(run_folder.RunFolder[RunSettings], RunPaths):
    """The folder of a training run.

    Attributes:
        settings (RunSettings): the settings of the run.
        command (str): the command that began the run, for people.
    """

    def __init__(self, path: Path, *about: Any) -> None:
        RunPaths.__init__(self, path)
        super().__init__(path, *about)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run in a folder, which another process may be writing.

        Raises:
            ValueError: if there is no run, or its description is damaged.
        """
        kind = TRAIN
        with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
            if json.loads((path / run_folder.RUN).read_bytes())["kind"] == EXPLOIT:
                kind = EXPLOIT
        return cls.read(path, kind, ANY_SETTINGS)

    @property
    def policy_spec(self) -> str:
        """The bot that plays the policy, with the code that it needs."""
        return f"policy:{self.policy}{self.settings.own_code.as_options}"

    @property
    def extensions(self) -> list[Extension]:
        """How the run was extended, the first first."""
        return [Extension(**each) for each in self.details.get(_EXTENSIONS, [])]

    def extend(self, at: int, timesteps: int) -> None:
        """Gives a run that has learned from ``at`` timesteps a later end."""
        extension = Extension(at, self.settings.end or 0)
        self.details[_EXTENSIONS] = [each._asdict() for each in (*self.extensions, extension)]
        self.settings = self.settings.changed({"timesteps": timesteps})
        self.write()

    def kept_policy(self, timesteps: int) -> Path | None:
        """The file in which the policy of a checkpoint is kept; None if it is not kept.

        Policies are kept at about twice the timesteps of the one before: a long run has few.
        """
        kept = [int(path.stem) for path in self.policies.glob("*.safetensors")]
        if any(timesteps / 2 < earlier < timesteps for earlier in kept):
            return None
        return self.policies / f"{timesteps:012d}.safetensors"


def policy_spec(path: Path) -> str:
    """The bot that plays the policy in a folder, with the code that its training names."""
    with suppress(ValueError):  # a program of the user's own can write the policy alone
        return RunFolder.open(path).policy_spec
    return f"policy:{RunPaths(path).policy}"


def make_folder(name: str) -> Path:
    """A new folder in ``runs``; another process that starts the same run gets another."""
    path, number = Path("runs") / name, 1
    while True:
        with suppress(FileExistsError):
            path.mkdir(parents=True)
            return path
        number += 1
        path = path.with_name(f"{name}-{number}")
