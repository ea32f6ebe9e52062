"""Bots whose workers can be found, and killed."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env import GameConfig
from tests.arena.bots import Int8Array, RandomBits, Salted


class Marked(Salted):
    """Leaves in a folder the ids of the process that it plays in, and of the one that began it.

    The folder is named by a file in it that does not exist: the contents of a folder that an option
    names are a part of a bot's fingerprint, and must not change.
    """

    def __init__(self, config: GameConfig, beside: str, pause: float = 0.0) -> None:
        super().__init__(config, salt=1)
        self._pause_each = pause
        Path(beside).with_name(f"{os.getpid()}-{os.getppid()}").touch()

    def act(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: Any,
        random_bits: RandomBits,
    ) -> npt.NDArray[np.integer]:
        time.sleep(self._pause_each)
        return super().act(observation, action_mask, episode_start, random_bits)


class Failing(Salted):
    """Plays some decisions, and then errs."""

    def __init__(self, config: GameConfig, after: int = 7) -> None:
        super().__init__(config, salt=1)
        self._left = after

    def act(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: Any,
        random_bits: RandomBits,
    ) -> npt.NDArray[np.integer]:
        self._left -= 1
        if self._left < 0:
            raise ZeroDivisionError("one over none")
        return super().act(observation, action_mask, episode_start, random_bits)
