"""A bot whose faults cost it games: it forfeits those in which it fails."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mindup_arena.failures import (
    FailedCallError,
    Failure,
    Forfeit,
    describe,
    own_traceback,
)
from mindup_arena.monitored_agent import CallMonitor, DecisionTime, MonitoredAgent
from mindup_env import GameConfig
from mindup_env.agent import StopRunError, make_agent
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import BatchedSeats
from mindup_env.settings.checks import shortened


class GuardedBot:
    """A bot of the arena in one process. It is made in its first call, and again after a fault."""

    def __init__(
        self,
        bot: int,
        spec: str,
        config: GameConfig,
        monitor: CallMonitor,
        run_folder: Path | None = None,
    ) -> None:
        self.forfeits: list[Forfeit] = []
        self._bot, self._config = bot, config
        make = partial(make_agent, spec, config, run_folder=run_folder)
        self._agent = MonitoredAgent(bot, make, monitor)
        self._seats = BatchedSeats(self._agent, config, 0)
        self.rows = np.zeros(0, np.int64)  # of its seats, counted along (games, players)
        self._row_games = self.rows
        self._games = range(0)
        self._known: Sequence[Forfeit] = ()
        self._lost = np.zeros(0, np.bool_)  # (games,): it has forfeited the game
        self._distrusted = False  # it played an illegal card

    def begin_chunk(self) -> None:
        self._agent.time, self._agent.usage = DecisionTime(), {}

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

    @property
    def usage(self) -> dict[str, float]:
        """What the bot says that it used in this chunk, such as requests, by name."""
        return self._agent.usage

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
