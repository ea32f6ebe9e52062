"""Failing and slow bots for the tests."""

from threading import Event, Semaphore

import numpy as np
import numpy.typing as npt

from mindup_agents.simple import LowestAgent
from mindup_env import GameConfig

Mask = npt.NDArray[np.int8]


class Prepared(LowestAgent):
    """Calls ``prepare`` before it chooses."""

    asked = 0
    first_turn = True

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        self.asked += 1
        self.first_turn = bool(episode_start.all())
        return super().act(observation, self.prepare(action_mask), episode_start, random_bits)

    def prepare(self, mask: Mask) -> Mask:
        """The mask by which it chooses."""
        return mask


class Failing(Prepared):
    """Fails in the second turn, however often it is asked."""

    def prepare(self, mask: Mask) -> Mask:
        if not self.first_turn:
            raise RuntimeError("out of ideas")
        return super().prepare(mask)


class FailingOnce(Prepared):
    """Fails in the second turn when it is asked for the first time."""

    def prepare(self, mask: Mask) -> Mask:
        if self.asked == 2:
            raise RuntimeError("out of ideas")
        return super().prepare(mask)


class Slow(Prepared):
    """Chooses only after ``go_on`` is set; ``waiting`` is released when it begins to wait."""

    go_on, waiting = Event(), Semaphore(0)

    def prepare(self, mask: Mask) -> Mask:
        self.waiting.release()
        self.go_on.wait()
        return super().prepare(mask)


class SlowToMake(LowestAgent):
    """Can be made only after ``go_on`` is set; ``waiting`` is released when it begins to wait."""

    go_on, waiting = Event(), Semaphore(0)

    def __init__(self, config: GameConfig) -> None:
        self.waiting.release()
        self.go_on.wait()
        super().__init__(config)


class Cheating(Prepared):
    """Plays a card that it does not hold."""

    def prepare(self, mask: Mask) -> Mask:
        return 1 - mask
