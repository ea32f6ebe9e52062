"""Bots that go wrong or take their time, for the tests."""

from threading import Event

import numpy as np
import numpy.typing as npt

from mindup_agents.simple import LowestAgent

Mask = npt.NDArray[np.int8]


class Prepared(LowestAgent):
    """May do something before it chooses."""

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
        """The mask that it goes by."""
        return mask


class Failing(Prepared):
    """Fails in the second turn, as often as it is asked."""

    def prepare(self, mask: Mask) -> Mask:
        if not self.first_turn:
            raise RuntimeError("out of ideas")
        return super().prepare(mask)


class FailingOnce(Prepared):
    """Fails in the second turn when it is asked first."""

    def prepare(self, mask: Mask) -> Mask:
        if self.asked == 2:
            raise RuntimeError("out of ideas")
        return super().prepare(mask)


class Slow(Prepared):
    """Thinks until it is let go."""

    go_on = Event()

    def prepare(self, mask: Mask) -> Mask:
        self.go_on.wait()
        return super().prepare(mask)


class Cheating(Prepared):
    """Plays a card that it does not hold."""

    def prepare(self, mask: Mask) -> Mask:
        return 1 - mask
