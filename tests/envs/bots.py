"""Bots for the tests. They choose by the hand alone: one deal is then one game in every form."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env import GameConfig
from mindup_env.agent import ActArguments

Int8Array = npt.NDArray[np.int8]


def choose(legal: Sequence[int]) -> int:
    """One of the legal actions, neither always the lowest nor always the highest."""
    return legal[sum(legal) % len(legal)]


def choose_by(action_mask: Int8Array) -> int:
    return choose(np.flatnonzero(action_mask).tolist())


def choose_all(action_masks: Int8Array) -> npt.NDArray[np.int64]:
    """An action for each mask of an array (..., num_cards) of them."""
    masks = action_masks.reshape(-1, action_masks.shape[-1])
    return np.array([choose_by(mask) for mask in masks]).reshape(action_masks.shape[:-1])


class ByHand:
    """Chooses as ``choose`` does."""

    def __init__(self, config: GameConfig) -> None:
        self.config = config

    def act(self, *given: Any) -> npt.NDArray[np.integer]:
        return choose_all(ActArguments(*given).action_mask)


class Recorder(ByHand):
    """Remembers all that it was given."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.asked: list[ActArguments] = []

    def act(self, *given: Any) -> npt.NDArray[np.integer]:
        self.asked.append(ActArguments(*(array.copy() for array in given)))
        return super().act(*given)
