"""Tiny trainings of both learners, and what their folders hold."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindup_env import cli
from mindup_training import RunSettings, TrainingResult
from mindup_training.settings.presets import read_settings
from mindup_training.trainer import loop
from mindup_training.trainer.checkpoint import save_checkpoint
from mindup_training.trainer.log import read_csv_log

_SHARED: dict[str, Any] = {
    "game": {"num_players": 3, "num_rounds": 2, "hand_size": 3},
    "widths": [16, 16, 8],
    "threads": 1,
    "evaluations": 4,
    "evaluate_against": ["lowest"],
    "evaluation_deals": 2,
    "timesteps": 600,
    "batch_size": 64,
}
LEARNERS: dict[str, dict[str, Any]] = {
    "sb3": {
        **_SHARED,
        "opponents": ["2:random", "lowest"],
        "seed": 1,
        "num_envs": 30,
        "learning_rate": 2e-2,
    },
    "ppo": {**_SHARED, "num_envs": 10, "critic": "state"},
}
"""The settings of a tiny run of each learner: four rollouts of 150 decisions, and a checkpoint
after each."""

ROLLOUT, END = 150, 600
TIMED = "time/decisions_per_second"


def settings_of(learner: str, **changes: Any) -> RunSettings:
    return read_settings(plain_of(learner, **changes))


def write_preset(path: Path, learner: str, /, **changes: Any) -> str:
    """A file of the settings of a learner that ``--preset`` takes."""
    path.write_text(json.dumps({"settings": plain_of(learner, **changes)}))
    return str(path)


def plain_of(learner: str, /, **changes: Any) -> dict[str, Any]:
    return {**LEARNERS[learner], "learner": learner, **changes}


def policy(run: Path) -> bytes:
    return (run / "policy.safetensors").read_bytes()


def recorded(run: Path) -> list[dict[str, str]]:
    """All figures but those of the clock."""
    rows = read_csv_log(run / "metrics.csv") + read_csv_log(run / "evaluations.csv")
    return [{name: row[name] for name in row if name != TIMED} for row in rows]


def assert_same(run: Path, other: Path) -> None:
    """Two runs made the same policy by the same way; their commands may differ."""
    assert recorded(run) == recorded(other)
    ours, theirs = (TrainingResult(each).policy.tensors for each in (run, other))
    assert all(ours[name].tobytes() == theirs[name].tobytes() for name in theirs)
    assert ours.keys() == theirs.keys()


def interrupted_at(timesteps: int, run: Callable[[], Any]) -> None:
    """Runs until the checkpoint at these timesteps is saved."""

    def save(path: Path, state: Any) -> None:
        save_checkpoint(path, state)
        if state.plain["timesteps"] >= timesteps:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "save_checkpoint", save)
        try:
            status = run()
        except KeyboardInterrupt:
            status = cli.INTERRUPTED
    assert status == cli.INTERRUPTED, "it ended before"
