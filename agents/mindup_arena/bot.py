"""A bot of the arena in one process: it is timed, and it forfeits the games in which it fails."""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_arena.failures import Forfeit, describe, traceback_of
from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import checked_choices
from mindup_env.envs.seat_inputs import Observations, SeatRows


class DecisionTime(NamedTuple):
    """The time that a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """Decisions per second; None if there are none, or if the clock did not advance."""
        return self.decisions / self.seconds if self.decisions and self.seconds else None


class ArenaBot:
    """A bot of the arena. It is made in its first call, and again after a forfeit.

    Attributes:
        time: In this chunk, without the first call in the process, which also loads the bot.
        forfeits: Those in this chunk.
    """

    def __init__(self, number: int, spec: str, config: GameConfig) -> None:
        self.time, self.forfeits = DecisionTime(), list[Forfeit]()
        self._number, self._spec, self._config = number, spec, config
        self._rows = np.zeros(0, np.int64)  # (B,) its seats, counted along (games, players)
        self._seats = SeatRows(config, 0)
        self._agent: Agent | None = None
        self._called = False
        self._lost = np.zeros(0, np.bool_)  # (games,): it has forfeited the game

    def begin_chunk(self, num_games: int) -> None:
        """Starts the games of another chunk."""
        if self.forfeits:
            self._agent = None  # it can be in any state, which must not reach other games
        self.time, self.forfeits = DecisionTime(), []
        self._lost = np.zeros(num_games, np.bool_)

    def assign_rows(self, rows: Int64Array) -> None:
        """Sets its seats."""
        self._rows, self._seats = rows, SeatRows(self._config, len(rows))

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        """Fills in the actions of its seats: its lowest cards in games that it has forfeited."""
        masks = seen["action_mask"].reshape(actions.size, -1)[self._rows]
        games = self._rows // self._config.num_players
        chosen = actions.reshape(-1)
        if not self._lost.all():
            try:
                chosen[self._rows] = self._choose(seen, keys, decision)
            except (Exception, SystemExit) as error:  # noqa: BLE001  # any bot of a user
                left = np.flatnonzero(~self._lost).tolist()
                self._forfeit(left, decision, describe(error), traceback_of(error))
            else:
                self._forfeit_illegal(chosen[self._rows], masks, games, decision)
        lost = self._lost[games]
        chosen[self._rows[lost]] = masks[lost].argmax(axis=1)

    def _choose(self, seen: Observations, keys: Keys, decision: int) -> npt.NDArray[np.integer]:
        """Its choices (B,)."""
        arguments = self._seats.read(seen, keys, self._rows, decision)
        arguments.episode_start[:] = decision == 0
        start = time.perf_counter()
        if self._agent is None:
            self._agent = make_agent(self._spec, self._config)
            start = time.perf_counter()  # making the bot is not part of a decision
        try:
            chosen = self._agent.act(*arguments)
        finally:
            seconds, rows = time.perf_counter() - start, len(self._rows)
            if self._called:
                self.time = DecisionTime(self.time.decisions + rows, self.time.seconds + seconds)
            self._called = True
        return checked_choices(chosen, rows)

    def _forfeit_illegal(
        self, chosen: Int64Array, masks: Int8Array, games: Int64Array, decision: int
    ) -> None:
        """Forfeits the games with an illegal card."""
        in_range = (chosen >= 0) & (chosen < masks.shape[1])
        legal = in_range & (masks[np.arange(len(chosen)), np.where(in_range, chosen, 0)] == 1)
        wrong = np.flatnonzero(~legal & ~self._lost[games])
        if len(wrong):
            hand = np.flatnonzero(masks[wrong[0]]).tolist()
            reason = f"action {chosen[wrong[0]]} is illegal; legal: {hand}"
            self._forfeit(np.unique(games[wrong]).tolist(), decision, reason)

    def _forfeit(
        self, games: Sequence[int], decision: int, reason: str, traceback: str = ""
    ) -> None:
        self.forfeits.append(Forfeit(self._number, decision, reason, tuple(games), traceback))
        self._lost[[*games]] = True
