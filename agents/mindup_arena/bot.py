"""A bot of the arena in one process: it is timed, and it forfeits the games in which it fails."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import CardEvaluator, check_evaluations
from mindup_arena.failures import FailedCallError, Forfeit, describe, own_traceback
from mindup_env import GameConfig
from mindup_env.agent import Agent, FailedRowsError, StopRunError, make_agent
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import checked_choices
from mindup_env.envs.seat_inputs import Observations, SeatRows
from mindup_env.settings.checks import check_int, shortened, shown

_MOST_USED = 1e300  # without infinities, and within what sums and files hold


class DecisionTime(NamedTuple):
    """The time that a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """Decisions per second; None if there are none, or if the clock did not advance."""
        return self.decisions / self.seconds if self.decisions and self.seconds else None


class Call(NamedTuple):
    """A bot is called for a decision; the call may never return."""

    bot: int
    decision: int
    games: range  # by their numbers in the chunk


ReportCall = Callable[[Call | None], None]
"""Gets each call of a bot before it begins, and None after it."""


class ArenaBot:
    """A bot of the arena. It is made in its first call, and again after a fault.

    Attributes:
        time: In this chunk, without the first call in the process, which also loads the bot.
        usage: What the bot says that it used in this chunk, such as requests, by name.
        forfeits: Those in the games that are played.
        rows: Its seats (B,), counted along (games, players).
        spec: What ``make_agent`` makes.
    """

    def __init__(
        self,
        number: int,
        spec: str,
        config: GameConfig,
        report_call: ReportCall,
        run_folder: Path | None = None,
    ) -> None:
        self.rows = np.zeros(0, np.int64)
        self.time, self.usage = DecisionTime(), dict[str, float]()
        self.forfeits: list[Forfeit] = []
        self.spec, self._number, self._run_folder = spec, number, run_folder
        self._config, self._report_call = config, report_call
        self._seats = SeatRows(config, 0)
        self._agent: Agent | None = None
        self._used: Mapping[str, float] = {}  # by this agent, until its last call
        self._called = False
        self._distrusted = False  # it played an illegal card
        self._call = Call(number, 0, range(0))
        self._known: Forfeit | None = None
        self._lost = np.zeros(0, np.bool_)  # (games,): it has forfeited the game

    def begin_games(self, games: range, known: Forfeit | None = None) -> None:
        """Starts games of the chunk, all of which it loses by a ``known`` forfeit."""
        if self._distrusted:
            # It can be in any state, which must not reach other games.
            self._discard()
        self._distrusted = False
        self.forfeits, self._known, self._call = [], known, Call(self._number, 0, games)
        self._lost = np.zeros(len(games), np.bool_)

    def assign_rows(self, rows: Int64Array) -> None:
        """Sets its seats."""
        self.rows = rows
        self._seats = SeatRows(self._config, len(rows))

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        """Raises FailedCallError if the bot fails, and not in some rows alone."""
        self._call = self._call._replace(decision=decision)
        if self._known and self._known.decision == decision and not self._lost.all():
            self._forfeit(self._known)
        masks = seen["action_mask"].reshape(actions.size, -1)[self.rows]
        games = self.rows // self._config.num_players
        chosen = actions.reshape(-1)
        if not self._lost.all():
            with self._faults():
                chosen[self.rows], failed_rows = self._choose(seen, keys)
                self._forfeit_rows(failed_rows, chosen[self.rows], masks, games)
        lost = self._lost[games]
        chosen[self.rows[lost]] = masks[lost].argmax(axis=1)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]] | None:
        """The unit and the values (B, num_cards) of its rows in this turn.

        None if the bot exposes no evaluations, or has forfeited a game. Raises FailedCallError if
        they are wrong.
        """
        if self.forfeits or not isinstance(self._agent, CardEvaluator):
            return None
        with self._faults():
            unit, values = self._agent.evaluate_cards()
            check_evaluations(unit, values, (len(self.rows), self._config.num_cards))
        return unit, values

    def _choose(
        self, seen: Observations, keys: Keys
    ) -> tuple[npt.NDArray[np.integer], dict[int, str]]:
        """Its choices (B,), and by failed row what went wrong; measures what it uses."""
        arguments = self._seats.read(seen, keys, self.rows, self._call.decision)
        arguments.episode_start[:] = self._call.decision == 0
        rows, failed_rows = len(self.rows), dict[int, str]()
        self._report_call(self._call)
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = make_agent(self.spec, self._config, run_folder=self._run_folder)
                start = time.perf_counter()  # making the bot is not part of a decision
            chosen = self._agent.act(*arguments)
        except FailedRowsError as error:
            chosen = error.actions
            failed_rows = {
                check_int("row", row, 0, rows - 1): str(error.reasons[row]) for row in error.reasons
            }
        finally:
            seconds = time.perf_counter() - start
            if self._called:
                self.time = DecisionTime(self.time.decisions + rows, self.time.seconds + seconds)
            self._called = True
            try:
                self._add_usage()
            finally:
                self._report_call(None)
        return checked_choices(chosen, rows), failed_rows

    def _add_usage(self) -> None:
        """Of a bot that counts what it uses: its ``usage()`` has totals since it was made."""
        count: Any = getattr(self._agent, "usage", None)
        if count is None:
            return
        used = count()
        if not isinstance(used, Mapping) or not all(
            isinstance(name, str) and isinstance(value, int | float) and abs(value) < _MOST_USED
            for name, value in used.items()
        ):
            raise ValueError(f"usage must be finite numbers by name, not {shown(used)}")
        for name, total in used.items():
            self.usage[name] = self.usage.get(name, 0) + (total - self._used.get(name, 0))
        self._used = dict(used)

    def _forfeit_rows(
        self, reasons: dict[int, str], chosen: Int64Array, masks: Int8Array, games: Int64Array
    ) -> None:
        """Forfeits the games of rows that failed, and of those with an illegal card."""
        in_range = (chosen >= 0) & (chosen < masks.shape[1])
        legal = in_range & (masks[np.arange(len(chosen)), np.where(in_range, chosen, 0)] == 1)
        wrong = np.flatnonzero(~legal & ~self._lost[games])
        illegal = [row for row in wrong.tolist() if row not in reasons]
        if illegal:
            self._distrusted = True
            card, hand = chosen[illegal[0]], np.flatnonzero(masks[illegal[0]]).tolist()
            reasons |= dict.fromkeys(illegal, f"action {card} is illegal; legal: {hand}")
        for row in sorted(reasons):
            if not self._lost[games[row]]:
                number, decision, every_game = self._call
                game = every_game[games[row]]
                self._forfeit(Forfeit(number, decision, shortened(reasons[row]), (game,)))

    def _forfeit(self, forfeit: Forfeit) -> None:
        self.forfeits.append(forfeit)
        self._lost[np.array(forfeit.games) - self._call.games.start] = True

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except StopRunError:
            raise
        except (Exception, SystemExit) as error:
            self._discard()
            number, decision, games = self._call
            reason, own = describe(error), own_traceback(error)
            failure = Forfeit(number, decision, reason, tuple(games), own)
            raise FailedCallError(failure) from error

    def _discard(self) -> None:
        self._agent, self._used = None, {}  # the next call makes another
