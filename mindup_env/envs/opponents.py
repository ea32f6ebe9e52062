"""Bots at seats of a batch of games."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, as_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import check_array, shown
from mindup_env.config import GameConfig
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seat_inputs import Observations, SeatInputs, SeatRows


class BatchedSeats:
    """An agent that acts for a batch of seats.

    A seat is named by its row, its flat index into (games, players).

    Args:
        agent: the agent; it gets a batch of at most ``most_rows`` rows.
        config: the rules.
        most_rows: the size of the buffers.

    Attributes:
        rows: its seats (B,).
    """

    def __init__(self, agent: Agent, config: GameConfig, most_rows: int) -> None:
        self._agent = agent
        self._buffers = SeatRows(config, most_rows)
        self.rows = np.zeros(0, np.int64)

    def assign_rows(self, rows: Int64Array) -> None:
        """Sets the seats that the agent acts for, as rows (B,)."""
        self.rows = rows

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        """Writes the actions of its rows.

        Args:
            seen: the observation (N, P, size) and action_mask (N, P, num_cards) of every seat.
            keys: seed, slot, episode and agent seed of each game (N, 4).
            decision: how many turns these games had before.
            actions: (N, P), to be written.
        """
        if len(self.rows) == 0:
            return
        given = self._buffers.read(seen, keys, self.rows, decision)
        given.episode_start[:] = decision == 0
        chosen = self._agent.act(*given)
        actions.reshape(-1)[self.rows] = checked_choices(chosen, len(self.rows))


class ScriptedSeats:
    """Bots that play some seats of all games of a ``BatchEnv``, for a training loop of one's own.

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

    def act(self, actions: npt.NDArray[np.integer]) -> None:
        """Writes the actions of the bots for the turn that comes next; call it once per turn.

        Args:
            actions: integers (N, P); those of the free seats stay as they are.
        """
        check_array("actions", actions, self._shape, " (games, players)")
        if not isinstance(actions, np.ndarray):
            raise ValueError(f"actions must be an array, which is written, not {shown(actions)}")
        for agent, inputs in self._groups:
            given = inputs.read()
            chosen = checked_choices(agent.act(*given), len(given.observation))
            actions[:, inputs.seats] = chosen.reshape(len(actions), -1)


def checked_choices(chosen: npt.ArrayLike, batch_size: int) -> npt.NDArray[np.integer]:
    """What ``act`` of a bot returned, as an array (B,); others than B integers are refused."""
    return check_array("the result of act() of a bot", chosen, (batch_size,))
