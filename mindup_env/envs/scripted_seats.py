"""Bots at some seats of a ``BatchEnv``, for a training loop of one's own."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.actions import check_integers
from mindup_env.envs.opponents import as_agent, checked_choices
from mindup_env.envs.seat_inputs import SeatInputs
from mindup_env.settings.checks import shown
from mindup_env.threads.exclusive import BusyFlag, exclusive


class ScriptedSeats:
    """Bots that play some seats of all games of a ``BatchEnv``.

    Their random bits are those of every other environment: they depend on the seed, slot and
    episode of a game, the seat and the turn.

    Args:
        env: the games.
        bots: by seat, the name of a bot or an object with its method ``act``. Seats with the same
            name or object are played by one bot, which acts once per turn for all of them.

    Attributes:
        seats (list[int]): the seats that bots play.
        free_seats (list[int]): all other seats.
    """

    def __init__(self, env: BatchEnv, bots: Mapping[int, str | Agent]) -> None:
        if not isinstance(bots, Mapping):
            raise ValueError(f"bots must be a dict such as {{1: 'greedy'}}, not {bots!r}")
        self.seats = sorted(SeatInputs(env, list(bots)).seats)
        self._shape = env.num_envs, env.config.num_players
        self.free_seats = [seat for seat in range(self._shape[1]) if seat not in self.seats]
        groups: dict[Any, list[int]] = {}
        for seat, bot in bots.items():
            groups.setdefault(bot if isinstance(bot, str) else id(bot), []).append(seat)
        self._groups = [
            (as_agent(bots[seats[0]], env.config), SeatInputs(env, seats))
            for seats in groups.values()
        ]
        self._busy = BusyFlag()

    @exclusive
    def act(self, actions: npt.NDArray[np.integer]) -> None:
        """Writes the actions of the bots for the turn that comes next; call it once per turn.

        Args:
            actions: integers (N, P); those of the free seats stay as they are.
        """
        check_integers("actions", actions, self._shape, " (games, players)")
        if not isinstance(actions, np.ndarray):
            raise ValueError(f"actions must be an array, which is written, not {shown(actions)}")
        for agent, inputs in self._groups:
            given = inputs.read()
            chosen = checked_choices(agent.act(*given), len(given.observation))
            actions[:, inputs.seats] = chosen.reshape(len(actions), -1)
