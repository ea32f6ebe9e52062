"""Learners of bidding policies."""

from mindup_training.torch_policy import from_torch, to_torch

__all__ = ["from_torch", "to_torch"]
