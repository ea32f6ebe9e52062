"""The folder of a training run: the paths of its results."""

import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

from mindup_env.agent import POLICY_FILE
from mindup_env.runs import run_folder
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import read_settings

TRAIN, EXPLOIT = "train", "exploit"
"""The commands that make such runs."""
ANY_SETTINGS: Any = SimpleNamespace(from_dict=read_settings)
"""Reads the settings of the learner that they name, in the place of their class."""


class RunFolder(run_folder.RunFolder[RunSettings]):
    """The folder of a training run.

    Attributes:
        path (Path): the folder.
        settings (RunSettings): the settings of the run.
        command (str): the command that began the run, for people.
        policy (Path): the policy file.
        metrics (Path): the metrics of each rollout, as CSV.
        evaluations (Path): the win shares at each checkpoint, as CSV.
        tensorboard (Path): the folder with the same figures for TensorBoard.
        curve (Path): the picture of the win shares over time.
        checkpoint (Path): what a resumed run goes on from.
        policies (Path): the folder of the policies of all checkpoints, named by timesteps.
    """

    def __init__(self, path: Path, *about: Any) -> None:
        super().__init__(path, *about)
        self.policy = path / POLICY_FILE
        self.metrics = path / "metrics.csv"
        self.evaluations = path / "evaluations.csv"
        self.tensorboard = path / "tensorboard"
        self.curve = path / "learning_curve.png"
        self.checkpoint = path / "checkpoint.safetensors"
        self.policies = path / "policies"

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


def make_folder(name: str) -> Path:
    """A new folder in ``runs``; another process that starts the same run gets another."""
    path, number = Path("runs") / name, 1
    while True:
        with suppress(FileExistsError):
            path.mkdir(parents=True)
            return path
        number += 1
        path = path.with_name(f"{name}-{number}")
