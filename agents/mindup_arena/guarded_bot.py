"""A bot whose faults cost it games: it forfeits the rest of the chunk that it plays."""

import time
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CardEvaluator, check_evaluations
from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import BatchedSeats


class Forfeit(NamedTuple):
    """A bot plays its lowest cards from a decision on, in all games of a chunk."""

    bot: int
    decision: int  # from 0
    reason: str


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

    def call_begins(self, bot: int, decision: int) -> None: ...

    def call_ends(self) -> None: ...


class IllegalCardError(ValueError):
    """A bot chose a card that is not in its hand."""


class GuardedBot:
    """A bot of the arena in one process. It is made in its first call, and again after a fault."""

    def __init__(self, bot: int, spec: str, config: GameConfig, monitor: CallMonitor) -> None:
        self.forfeit: Forfeit | None = None
        self._bot, self._config = bot, config
        self._agent = _MonitoredAgent(bot, spec, config, monitor)
        self._seats = BatchedSeats(self._agent, config, 0)
        self.rows = np.zeros(0, np.int64)  # of its seats, counted along (games, players)
        self._known: Forfeit | None = None

    def begin_chunk(self, known: Forfeit | None = None) -> None:
        """``known`` is the forfeit of a bot that ended its process in this chunk before."""
        self.forfeit, self._known = None, known
        self._agent.time = DecisionTime()

    @property
    def time(self) -> DecisionTime:
        """Of this chunk, without the first call in the process, which also loads the bot."""
        return self._agent.time

    def assign_rows(self, rows: Int64Array) -> None:
        self.rows = rows
        self._seats = BatchedSeats(self._agent, self._config, len(rows))
        self._seats.assign_rows(rows)

    def act(
        self, seen: dict[str, Int8Array], keys: Keys, decision: int, actions: Int64Array
    ) -> None:
        masks = seen["action_mask"].reshape(actions.size, -1)[self.rows]
        if self.forfeit is None:
            self.forfeit = self._play(seen, keys, decision, actions, masks)
        if self.forfeit is not None:
            # After a fault an agent can be in any state, which must not reach the next chunk.
            self._agent.discard()
            actions.reshape(-1)[self.rows] = masks.argmax(axis=1)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]] | None:
        """The unit and the values (B, num_cards) of its rows in this turn.

        None if the bot exposes no evaluations, or forfeits because they are wrong.
        """
        if self.forfeit is not None:
            return None
        try:
            return self._agent.evaluate_cards(len(self.rows), self._config.num_cards)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any of it is the bot's fault
            self.forfeit = self._fault(self._agent.decision, error)
            return None

    def _fault(self, decision: int, error: BaseException) -> Forfeit:
        return Forfeit(self._bot, decision, f"{type(error).__name__}: {error}")

    def _play(
        self,
        seen: dict[str, Int8Array],
        keys: Keys,
        decision: int,
        actions: Int64Array,
        masks: Int8Array,
    ) -> Forfeit | None:
        if self._known is not None and decision == self._known.decision:
            return self._known
        self._agent.decision = decision
        try:
            self._seats.act(seen, keys, decision, actions)
            check_legal(masks, actions.reshape(-1)[self.rows])
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any of it is the bot's fault
            return self._fault(decision, error)
        return None


def check_legal(masks: Int8Array, chosen: Int64Array) -> None:
    """Refuses actions ``chosen`` (B,) that ``masks`` (B, num_cards) forbid."""
    in_range = (chosen >= 0) & (chosen < masks.shape[1])
    legal = in_range & (masks[np.arange(len(chosen)), np.where(in_range, chosen, 0)] == 1)
    if not legal.all():
        first = int(legal.argmin())
        hand = np.flatnonzero(masks[first]).tolist()
        raise IllegalCardError(f"action {chosen[first]} is illegal; legal: {hand}")


class _MonitoredAgent:
    """Makes its agent in the first call, so that this is monitored too; measures the time."""

    def __init__(self, bot: int, spec: str, config: GameConfig, monitor: CallMonitor) -> None:
        self.decision = 0
        self.time = DecisionTime()
        self._bot, self._spec, self._config, self._monitor = bot, spec, config, monitor
        self._agent: Agent | None = None
        self._called = False

    def discard(self) -> None:
        self._agent = None  # the next call makes another

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
        self._monitor.call_begins(self._bot, self.decision)
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = make_agent(self._spec, self._config)
                start = time.perf_counter()  # making the agent is not part of a decision
            return self._agent.act(observation, action_mask, episode_start, random_bits)
        finally:
            seconds = time.perf_counter() - start
            if self._called:
                decisions = self.time.decisions + len(random_bits)
                self.time = DecisionTime(decisions, self.time.seconds + seconds)
            self._called = True
            self._monitor.call_ends()
