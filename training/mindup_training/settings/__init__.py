"""Settings of a training run: everything that its result depends on, each with its help.

The command line, presets, run folders and the documentation read these declarations.

- ``train_settings``: the settings of a run
- ``sections``: those of PPO, self-play and RLlib
- ``stages``: what changes during a run
- ``learning_rates``: schedules of the learning rate
"""

from mindup_training.settings.sections import (
    SNAPSHOT_RULE,
    PPOSettings,
    RllibSettings,
    SelfPlaySettings,
)
from mindup_training.settings.stages import Stage
from mindup_training.settings.train_settings import TrainSettings

__all__ = [
    "SNAPSHOT_RULE",
    "PPOSettings",
    "RllibSettings",
    "SelfPlaySettings",
    "Stage",
    "TrainSettings",
]
