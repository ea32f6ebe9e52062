"""Bots that read nothing but their own hand."""

from typing import Any

from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array, Int64Array


class LowestAgent:
    """Plays the lowest legal card."""

    def __init__(self, config: GameConfig) -> None:
        pass

    def act(
        self, observation: Any, action_mask: Int8Array, episode_start: Any, random_bits: Any
    ) -> Int64Array:
        del observation, episode_start, random_bits  # it has no memory and no randomness
        return (action_mask != 0).argmax(axis=1)


class HighestAgent(LowestAgent):
    """Plays the highest legal card."""

    def act(
        self, observation: Any, action_mask: Int8Array, episode_start: Any, random_bits: Any
    ) -> Int64Array:
        from_above = super().act(observation, action_mask[:, ::-1], episode_start, random_bits)
        return action_mask.shape[1] - 1 - from_above
