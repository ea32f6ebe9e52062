"""Settings of a training run: everything that its result depends on, each with its help.

The command line, presets, run folders and the documentation read these declarations.

- ``run_settings``: what all learners have, and the stages of a training
- ``hyperparameters``: what several learners have
- ``train_settings``: the settings of Stable-Baselines3 and RLlib
- ``checkpoint_times``: when a run has checkpoints
- ``presets``: settings by name and from files
"""

from mindup_training.settings.run_settings import GameSettings, RunSettings, Stage
from mindup_training.settings.train_settings import (
    SNAPSHOT_RULE,
    PPOSettings,
    RllibSettings,
    SelfPlaySettings,
    TrainSettings,
)

__all__ = [
    "SNAPSHOT_RULE",
    "GameSettings",
    "PPOSettings",
    "RllibSettings",
    "RunSettings",
    "SelfPlaySettings",
    "Stage",
    "TrainSettings",
]
