"""Bots that read nothing but their own hand."""

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig


class LowestAgent:
    """Plays the lowest legal card."""

    def __init__(self, config: GameConfig) -> None:
        pass

    def act(
        self,
        observation: npt.NDArray[np.int8],  # noqa: ARG002
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002  # it has no memory
        random_bits: npt.NDArray[np.uint64],  # noqa: ARG002  # and no randomness
    ) -> npt.NDArray[np.integer]:
        return (action_mask != 0).argmax(axis=1)


class HighestAgent(LowestAgent):
    """Plays the highest legal card."""

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        from_above = super().act(observation, action_mask[:, ::-1], episode_start, random_bits)
        return action_mask.shape[1] - 1 - from_above
