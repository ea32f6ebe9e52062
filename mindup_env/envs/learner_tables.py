"""N games with one learner in each; bots act for the other seats, in batches."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.actions import check_integers
from mindup_env.envs.opponents import FixedOpponents, OpponentGroup
from mindup_env.envs.random_bits import draw_seats
from mindup_env.envs.seat_inputs import Observations
from mindup_env.settings.checks import check_int
from mindup_env.threads.exclusive import BusyFlag, exclusive

_INFO = {
    "points_gained": "points_gained",
    "illegal_actions": "illegal_actions",
    "scores": "score",
    "ranks": "rank",
    "win_share": "win_share",
}
"""The name of an entry in BatchEnv's info, for all seats, and in the learner's, for one."""


class StepResults(NamedTuple):
    """The results of a step for the learners, in new arrays."""

    seen: Observations  # observation (N, size) and action_mask (N, num_cards)
    rewards: npt.NDArray[np.floating]  # (N,)
    over: npt.NDArray[np.bool_]  # (N,)
    info: dict[str, Any]
    final: Observations | None  # the last observations, if the games ended and were dealt anew


class LearnerTables:
    """The games of ``batch``, which begin and end together: they have equally many turns."""

    def __init__(
        self, batch: BatchEnv, opponents: Sequence[str | Agent] | OpponentGroup, seat: int | str
    ) -> None:
        self.batch = batch
        config, num_games = batch.config, batch.num_envs
        self._opponents: OpponentGroup = (
            opponents
            if isinstance(opponents, OpponentGroup)
            else FixedOpponents(config, opponents, num_games)
        )
        self._seat = _checked_seat(seat, config.num_players)
        self.seats = np.full(num_games, self._seat or 0, np.int64)
        self._own = np.arange(num_games), self.seats
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._decision = 0
        self._busy = BusyFlag()

    @exclusive
    def reset(self, seed: int | Sequence[int] | None) -> Observations:
        self.batch.reset(seed)
        self._begin()
        return self._learners_view(self.batch.seen)

    @exclusive
    def step(self, actions: npt.ArrayLike) -> StepResults:
        """Plays the learners' actions (N,); the bots choose at the same time."""
        given = check_integers("actions", actions, self.seats.shape, " (learners)")
        seen = self.batch.seen
        seen["observation"] = self.batch.layout.unpad(seen["observation"])  # bots read no padding
        self._opponents.act(seen, self.batch.keys, self._decision, self._actions)
        self._actions[self._own] = given
        seen, rewards, over, _, all_seats = self.batch.step(self._actions)
        self._decision += 1
        info = {own: all_seats[name][self._own] for name, own in _INFO.items() if name in all_seats}
        info["seat"] = self.seats.copy()  # before new seats are drawn, if the games end
        own_rewards = rewards[self._own]
        final = None
        if "final_observation" in all_seats:
            final = self._learners_view(all_seats["final_observation"])
            self._begin()
        return StepResults(self._learners_view(seen), own_rewards, over.copy(), info, final)

    def _begin(self) -> None:
        self._decision = 0
        if self._seat is None:
            draw_seats(self.batch.keys, self.batch.config.num_players, self.seats)
        self._opponents.assign_seats(self.seats, self.batch.keys)

    def _learners_view(self, seen: Observations) -> Observations:
        return {name: array[self._own] for name, array in seen.items()}


def _checked_seat(seat: int | str, num_players: int) -> int | None:
    """The learners' seat; None for a random one in each game."""
    if seat == "random":
        return None
    try:
        return check_int("seat", seat, 0, num_players - 1)
    except ValueError:
        raise ValueError(f"seat must be 'random' or 0 to {num_players - 1}, not {seat!r}") from None
