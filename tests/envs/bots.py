"""Bots for the tests. They choose by the hand alone: one deal is then one game in every form."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env import GameConfig

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

    def act(
        self,
        observation: Int8Array,  # noqa: ARG002  # the mask shows the hand
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002
        random_bits: npt.NDArray[np.uint64],  # noqa: ARG002
    ) -> npt.NDArray[np.integer]:
        return choose_all(action_mask)


class Asked(NamedTuple):
    """What an agent was given to choose by."""

    observation: Int8Array  # (B, size)
    action_mask: Int8Array  # (B, num_cards)
    episode_start: npt.NDArray[np.bool_]  # (B,)
    random_bits: npt.NDArray[np.uint64]  # (B,)


class Recorder(ByHand):
    """Remembers all that it was given."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.asked: list[Asked] = []

    def act(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        given = Asked(
            observation.copy(), action_mask.copy(), episode_start.copy(), random_bits.copy()
        )
        self.asked.append(given)
        return super().act(observation, action_mask, episode_start, random_bits)
