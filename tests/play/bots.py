"""Bots that go wrong, for the tests."""

from threading import Event

import numpy as np
import numpy.typing as npt

from mindup_agents.simple import LowestAgent


class Failing(LowestAgent):
    """Fails in the second turn, as often as it is asked."""

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        if not new_game.all():
            raise RuntimeError("out of ideas")
        return super().act(observation, action_mask, new_game, words)


class FailingOnce(LowestAgent):
    """Fails in the second turn when it is asked first."""

    asked = 0

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        self.asked += 1
        if self.asked == 2:
            raise RuntimeError("out of ideas")
        return super().act(observation, action_mask, new_game, words)


class Slow(LowestAgent):
    """Thinks until it is let go."""

    go_on = Event()

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        self.go_on.wait()
        return super().act(observation, action_mask, new_game, words)


class Cheating(LowestAgent):
    """Plays a card that it does not hold."""

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        return super().act(observation, 1 - action_mask, new_game, words)
