"""Settings of a training run: everything that its result depends on, each with its help.

The command line, presets, run folders and the documentation read these declarations.

- ``run_settings``: what all learners have
- ``schedule``: when a training has checkpoints, and when its settings change
- ``hyperparameters``: what several learners have
- ``train_settings``: the settings of Stable-Baselines3 and RLlib
- ``presets``: settings by name and from files
- ``options``: settings as options of a command
"""

from mindup_training.settings.run_settings import (
    SNAPSHOT_RULE,
    GameSettings,
    RunSettings,
    SelfPlaySettings,
)
from mindup_training.settings.schedule import Stage
from mindup_training.settings.train_settings import PPOSettings, RllibSettings, TrainSettings

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
