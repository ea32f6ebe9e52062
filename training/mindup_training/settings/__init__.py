"""Settings of a training run: everything that its result depends on, each with its help.

The command line, presets, run folders and the documentation read these declarations.

- ``run_settings``: what all learners have
- ``hyperparameters``: those of PPO, which both learners share
- ``train_settings``: the settings of ``mindup train``
- ``presets``: settings by name and from files
- ``options``: settings as options of a command
"""

from mindup_training.settings.hyperparameters import PPOHyperparameters
from mindup_training.settings.run_settings import RunSettings
from mindup_training.settings.train_settings import TrainSettings

__all__ = ["PPOHyperparameters", "RunSettings", "TrainSettings"]
