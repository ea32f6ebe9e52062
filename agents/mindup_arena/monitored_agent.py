"""An agent whose calls are monitored and measured: the time that it takes, and what it uses."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CardEvaluator, check_evaluations
from mindup_env.agent import Agent, FailedRowsError
from mindup_env.engine.state import Int8Array
from mindup_env.settings.checks import check_int, shown

_MOST_USED = 1e300  # without infinities, and within what sums and files hold


class DecisionTime(NamedTuple):
    """The time that a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """Decisions per second; None if there are none, or if the clock did not advance."""
        return self.decisions / self.seconds if self.decisions and self.seconds else None


class CallMonitor(Protocol):
    """Is notified before and after each call of a bot; the call may never return."""

    def call_begins(self, bot: int, decision: int, games: range) -> None:
        """The bot is called for a decision in ``games``, by their numbers in the chunk."""
        ...

    def call_ends(self) -> None: ...


@runtime_checkable
class UsageCounter(Protocol):
    """A bot that counts what it uses besides time, for example requests to a server."""

    def usage(self) -> Mapping[str, float]:
        """Running totals since the bot was made, by name."""
        ...


class MonitoredAgent:
    """Makes its agent in the first call, so that this is monitored too; measures what it uses."""

    def __init__(self, bot: int, make: Callable[[], Agent], monitor: CallMonitor) -> None:
        self.decision, self.games = 0, range(0)
        self.time = DecisionTime()
        self.usage: dict[str, float] = {}
        self.failed_rows: dict[int, str] = {}  # of the last call
        self._bot, self._make, self._monitor = bot, make, monitor
        self._agent: Agent | None = None
        self._used: dict[str, float] = {}  # by this agent, until its last call
        self._called = False

    def discard(self) -> None:
        self._agent, self._used = None, {}  # the next call makes another

    def evaluate_cards(
        self, rows: int, num_cards: int
    ) -> tuple[str, npt.NDArray[np.floating]] | None:
        """What the agent exposes of its last call, checked; None if that is nothing."""
        if not isinstance(self._agent, CardEvaluator):
            return None
        unit, values = self._agent.evaluate_cards()
        check_evaluations(unit, values, (rows, num_cards))
        return unit, values

    def act(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        self._monitor.call_begins(self._bot, self.decision, self.games)
        self.failed_rows = {}
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = self._make()
                start = time.perf_counter()  # making the agent is not part of a decision
            return self._agent.act(observation, action_mask, episode_start, random_bits)
        except FailedRowsError as error:
            rows = len(random_bits)
            self.failed_rows = {
                check_int("row", row, 0, rows - 1): str(error.reasons[row]) for row in error.reasons
            }
            return error.actions
        finally:
            seconds = time.perf_counter() - start
            if self._called:
                decisions = self.time.decisions + len(random_bits)
                self.time = DecisionTime(decisions, self.time.seconds + seconds)
            self._called = True
            try:
                self._add_usage()
            finally:
                self._monitor.call_ends()

    def _add_usage(self) -> None:
        if isinstance(self._agent, UsageCounter):
            used = check_usage(self._agent.usage())
            for name, total in used.items():
                now = total - self._used.get(name, 0)
                self.usage[name] = self.usage.get(name, 0) + now
            self._used = used


def check_usage(usage: Any) -> dict[str, float]:
    """Refuses everything but finite numbers by name."""
    found = dict(usage) if isinstance(usage, Mapping) else {}
    numbers = all(
        isinstance(value, int | float) and abs(value) < _MOST_USED for value in found.values()
    )
    if found != usage or not numbers or not all(isinstance(name, str) for name in found):
        raise ValueError(f"usage must be finite numbers by name, not {shown(usage)}")
    return found
