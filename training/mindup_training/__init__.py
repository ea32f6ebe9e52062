"""Learners of bidding policies.

What needs PyTorch is loaded by its first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mindup_env.settings.extras import require
from mindup_training.api import TrainingResult, resume, train
from mindup_training.callbacks import Callback
from mindup_training.settings import PPOHyperparameters, RunSettings, TrainSettings
from mindup_training.settings.presets import read_preset

if TYPE_CHECKING:
    from mindup_training.launch import run_learner
    from mindup_training.network import NetworkOutput
    from mindup_training.torch_policy import from_torch, to_torch
    from mindup_training.trainer.learner import Learner

__all__ = [
    "Callback",
    "Learner",
    "NetworkOutput",
    "PPOHyperparameters",
    "RunSettings",
    "TrainSettings",
    "TrainingResult",
    "from_torch",
    "read_preset",
    "resume",
    "run_learner",
    "to_torch",
    "train",
]

_LOADED_LATER = {
    "Learner": "trainer.learner",
    "NetworkOutput": "network",
    "from_torch": "torch_policy",
    "run_learner": "launch",
    "to_torch": "torch_policy",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require(f"{__name__}.{name}", "train", "torch")
    return getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
