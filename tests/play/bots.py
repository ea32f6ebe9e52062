"""Failing and slow bots for the tests. All play the lowest card."""

from threading import Event, Semaphore
from typing import Any

from mindup_agents.simple import LowestAgent
from mindup_env import GameConfig

PATIENCE = 60
"""Seconds after which a slow bot goes on, so that a server that waits for it fails a test."""


class Prepared:
    """Calls ``prepare`` before it chooses."""

    asked = 0

    def __init__(self, config: GameConfig) -> None:
        self._lowest = LowestAgent(config)

    def act(self, *given: Any) -> Any:
        self.asked += 1
        self.prepare()
        return self._lowest.act(*given)

    def prepare(self) -> None: ...


class Failing(Prepared):
    """Fails in the second turn, however often it is asked."""

    def prepare(self) -> None:
        if self.asked > 1:
            raise RuntimeError("out of ideas")


class FailingOnce(Prepared):
    """Fails in the second turn when it is asked for the first time."""

    def prepare(self) -> None:
        if self.asked == 2:
            raise RuntimeError("out of ideas")


class Slow(Prepared):
    """Chooses only after ``go_on`` is set; ``waiting`` is released when it begins to wait."""

    go_on, waiting = Event(), Semaphore(0)

    def prepare(self) -> None:
        self.waiting.release()
        self.go_on.wait(PATIENCE)


class SlowToMake(Prepared):
    """Can be made only after ``go_on`` is set; ``waiting`` is released when it begins to wait."""

    go_on, waiting = Event(), Semaphore(0)

    def __init__(self, config: GameConfig) -> None:
        self.waiting.release()
        self.go_on.wait(PATIENCE)
        super().__init__(config)


class Cheating(Prepared):
    """Plays a card that it does not hold."""

    def act(self, observation: Any, action_mask: Any, *more: Any) -> Any:
        return self._lowest.act(observation, 1 - action_mask, *more)
