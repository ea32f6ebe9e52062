"""What the server of the tests' processes loads: what takes most of the time of a tiny run.

The final ranking is an arena, which has tests of its own.
"""

import contextlib
import os
import tempfile
from pathlib import Path

from mindup_env import cli
from mindup_training import launch
from mindup_training.experiment import run_process  # noqa: F401
from mindup_training.run_folder import RunFolder
from tests.training.experiment.experiments import PRESET


def rank_policy(folder: RunFolder) -> int:  # noqa: ARG001  # the signature of the function
    return 0


def train_once() -> None:
    """A run loads what all runs need."""
    with (
        tempfile.TemporaryDirectory() as name,
        Path(os.devnull).open("w") as nothing,
        contextlib.redirect_stdout(nothing),
    ):
        preset = Path(name) / "preset.toml"
        preset.write_text(PRESET)
        cli.main(["train", "--preset", str(preset), "--threads", "1", "--out", f"{name}/run"])


launch.rank_policy = rank_policy
train_once()
