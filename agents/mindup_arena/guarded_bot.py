"""A bot whose faults cost it games: it forfeits those in which it fails."""

import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CardEvaluator, check_evaluations
from mindup_arena.failures import (
    FailedCallError,
    Failure,
    Forfeit,
    describe,
    own_traceback,
)
from mindup_env import GameConfig
from mindup_env.agent import Agent, FailedRowsError, StopRunError, make_agent
from mindup_env.checks import check_int, shortened
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import BatchedSeats


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


class GuardedBot:
    """A bot of the arena in one process. It is made in its first call, and again after a fault."""

    def __init__(self, bot: int, spec: str, config: GameConfig, monitor: CallMonitor) -> None:
        self.forfeits: list[Forfeit] = []
        self._bot, self._config = bot, config
        self._agent = _MonitoredAgent(bot, spec, config, monitor)
        self._seats = BatchedSeats(self._agent, config, 0)
        self.rows = np.zeros(0, np.int64)  # of its seats, counted along (games, players)
        self._row_games = self.rows
        self._games = range(0)
        self._known: Sequence[Forfeit] = ()
        self._lost = np.zeros(0, np.bool_)  # (games,): it has forfeited the game
        self._distrusted = False  # it played an illegal card

    def begin_chunk(self) -> None:
        self._agent.time = DecisionTime()

    def begin_games(self, games: range, known: Sequence[Forfeit] = ()) -> None:
        """Starts games of the chunk, all of which it loses by each of the ``known`` forfeits."""
        if self._distrusted:
            # It can be in any state, which must not reach other games.
            self._agent.discard()
        self._distrusted = False
        self.forfeits, self._known, self._games = [], known, games
        self._agent.games, self._lost = games, np.zeros(len(games), np.bool_)

    @property
    def time(self) -> DecisionTime:
        """Of this chunk, without the first call in the process, which also loads the bot."""
        return self._agent.time

    def assign_rows(self, rows: Int64Array) -> None:
        self.rows, self._row_games = rows, rows // self._config.num_players
        self._seats = BatchedSeats(self._agent, self._config, len(rows))
        self._seats.assign_rows(rows)

    def act(
        self, seen: dict[str, Int8Array], keys: Keys, decision: int, actions: Int64Array
    ) -> None:
        """Raises FailedCallError if the bot fails, and not in some rows alone."""
        masks = seen["action_mask"].reshape(actions.size, -1)[self.rows]
        for forfeit in self._known:
            if forfeit.decision == decision and not self._lost.all():
                self._forfeit(forfeit)
        if not self._lost.all():
            try:
                self._play(seen, keys, decision, actions, masks)
            except StopRunError:
                raise
            except (Exception, SystemExit) as error:
                raise FailedCallError(self._failure(decision, error)) from error
        if self._lost.any():
            lost = self._lost[self._row_games]
            actions.reshape(-1)[self.rows[lost]] = masks[lost].argmax(axis=1)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]] | None:
        """The unit and the values (B, num_cards) of its rows in this turn.

        None if the bot exposes no evaluations, or has forfeited a game. Raises FailedCallError if
        they are wrong.
        """
        if self.forfeits:
            return None
        try:
            return self._agent.evaluate_cards(len(self.rows), self._config.num_cards)
        except (Exception, SystemExit) as error:
            raise FailedCallError(self._failure(self._agent.decision, error)) from error

    def _play(
        self,
        seen: dict[str, Int8Array],
        keys: Keys,
        decision: int,
        actions: Int64Array,
        masks: Int8Array,
    ) -> None:
        self._agent.decision = decision
        self._seats.act(seen, keys, decision, actions)
        reasons = self._agent.failed_rows
        chosen = actions.reshape(-1)[self.rows]
        wrong = ~is_legal(masks, chosen) & ~self._lost[self._row_games]
        illegal = [row for row in np.flatnonzero(wrong).tolist() if row not in reasons]
        if illegal:
            self._distrusted = True
            card, hand = chosen[illegal[0]], np.flatnonzero(masks[illegal[0]]).tolist()
            reasons |= dict.fromkeys(illegal, f"action {card} is illegal; legal: {hand}")
        for row in sorted(reasons):
            game = self._row_games[row]
            if not self._lost[game]:
                number = self._games[game]
                self._forfeit(Forfeit(self._bot, decision, shortened(reasons[row]), (number,)))

    def _forfeit(self, forfeit: Forfeit) -> None:
        self.forfeits.append(forfeit)
        self._lost[np.array(forfeit.games) - self._games.start] = True

    def _failure(self, decision: int, error: BaseException) -> Failure:
        self._agent.discard()
        return Failure(self._bot, decision, self._games, describe(error), own_traceback(error))


def is_legal(masks: Int8Array, chosen: Int64Array) -> npt.NDArray[np.bool_]:
    """Whether ``masks`` (B, num_cards) allow the actions ``chosen`` (B,)."""
    in_range = (chosen >= 0) & (chosen < masks.shape[1])
    return in_range & (masks[np.arange(len(chosen)), np.where(in_range, chosen, 0)] == 1)


class _MonitoredAgent:
    """Makes its agent in the first call, so that this is monitored too; measures the time."""

    def __init__(self, bot: int, spec: str, config: GameConfig, monitor: CallMonitor) -> None:
        self.decision, self.games = 0, range(0)
        self.time = DecisionTime()
        self.failed_rows: dict[int, str] = {}  # of the last call
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
        self._monitor.call_begins(self._bot, self.decision, self.games)
        self.failed_rows = {}
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = make_agent(self._spec, self._config)
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
            self._monitor.call_ends()
