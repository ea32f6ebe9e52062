"""Failing and slow bots for the tests. All play the lowest card."""

from threading import Event, Semaphore
from typing import Any

from mindup_agents.simple import LowestAgent

FAILING, FAILING_ONCE = "tests.play.bots:Failing", "tests.play.bots:FailingOnce"
SLOW = "tests.play.bots:Slow"
PATIENCE = 60
"""Seconds after which a slow bot goes on, so that a server that waits for it fails a test."""
go_on = Event()
"""Slow bots wait for it."""
waiting = Semaphore(0)
"""Released when a slow bot begins to wait."""


def wait() -> None:
    waiting.release()
    go_on.wait(PATIENCE)


class Failing(LowestAgent):
    """Fails in the second turn, however often it is asked."""

    asked, failures = 0, 1000

    def act(self, *given: Any) -> Any:
        self.asked += 1
        if 1 < self.asked <= 1 + self.failures:
            raise RuntimeError("out of ideas")
        return super().act(*given)


class FailingOnce(Failing):
    failures = 1


class Slow(LowestAgent):
    def act(self, *given: Any) -> Any:
        wait()
        return super().act(*given)
