"""Learners of bidding policies."""

from mindup_training.api import resume, train
from mindup_training.callbacks import Callback
from mindup_training.settings import (
    PPOSettings,
    RllibSettings,
    SelfPlaySettings,
    Stage,
    TrainSettings,
)
from mindup_training.settings.presets import read_preset
from mindup_training.torch_policy import from_torch, to_torch
from mindup_training.train.result import TrainingResult

__all__ = [
    "Callback",
    "PPOSettings",
    "RllibSettings",
    "SelfPlaySettings",
    "Stage",
    "TrainSettings",
    "TrainingResult",
    "from_torch",
    "read_preset",
    "resume",
    "to_torch",
    "train",
]
