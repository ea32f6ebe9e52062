"""The bots of a batch of games: their seats and their observations."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, make_agent
from mindup_env.batch_env.actions import check_integers
from mindup_env.config import GameConfig
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seat_inputs import Observations, SeatRows
from mindup_env.settings.checks import as_list


@runtime_checkable
class OpponentGroup(Protocol):
    """The players of all seats but the learner's, in N games."""

    def assign_seats(self, learner_seats: npt.NDArray[np.integer], keys: Keys) -> None:
        """Starts new games.

        Args:
            learner_seats: the seat of the learner in each game (N,).
            keys: seed, slot, episode and agent seed of each game (N, 4).
        """
        ...

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        """Writes the actions of all seats but the learners'.

        Args:
            seen: the observation (N, P, size) and action_mask (N, P, num_cards) of every seat.
            keys: seed, slot, episode and agent seed of each game (N, 4).
            decision: how many turns these games had before.
            actions: (N, P), to be written.
        """
        ...


class FixedOpponents:
    """The same bots in every game.

    Args:
        config: the rules.
        agents: one bot for all other seats, or P - 1 bots for the seats after the learner, in seat
            order. A bot is its name or an object.
        num_games: N.
    """

    def __init__(self, config: GameConfig, agents: Sequence[str | Agent], num_games: int) -> None:
        others = config.num_players - 1
        if isinstance(agents, str):
            raise ValueError(f"opponents must be a list such as [{agents!r}], not {agents!r}")
        agents = as_list("opponents", agents)
        if len(agents) not in (1, others):
            raise ValueError(
                f"opponents must be 1 bot for all other seats or {others} bots in seat order, for "
                f"{config.num_players} players, not {len(agents)}"
            )
        seats_after = range(1, config.num_players)
        places = [list(seats_after)] if len(agents) == 1 else [[after] for after in seats_after]
        self._seats_after = [np.array(seats) for seats in places]
        self._num_players = config.num_players
        self._bots = [
            BatchedSeats(as_agent(agent, config), config, num_games * len(seats))
            for agent, seats in zip(agents, places, strict=True)
        ]

    def assign_seats(
        self,
        learner_seats: npt.NDArray[np.integer],
        keys: Keys,  # noqa: ARG002  # the bots are the same in every deal
    ) -> None:
        first_rows = np.arange(len(learner_seats))[:, None] * self._num_players
        for bot, seats_after in zip(self._bots, self._seats_after, strict=True):
            seats = (learner_seats[:, None] + seats_after) % self._num_players
            bot.assign_rows((first_rows + seats).ravel())

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        for bot in self._bots:
            bot.act(seen, keys, decision, actions)


class BatchedSeats:
    """An agent that acts for a batch of seats.

    A seat is named by its row, its flat index into (games, players).

    Args:
        agent: the agent; it gets a batch of at most ``most_rows`` rows.
        config: the rules.
        most_rows: the size of the buffers.
    """

    def __init__(self, agent: Agent, config: GameConfig, most_rows: int) -> None:
        self._agent = agent
        self._buffers = SeatRows(config, most_rows)
        self._rows = np.zeros(0, np.int64)

    def assign_rows(self, rows: Int64Array) -> None:
        """Sets the seats that the agent acts for, as rows (B,)."""
        self._rows = rows

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        """Writes the actions of its rows; the arguments are those of ``OpponentGroup.act``."""
        if len(self._rows) == 0:
            return
        given = self._buffers.read(seen, keys, self._rows, decision)
        given.episode_start[:] = decision == 0
        chosen = self._agent.act(*given)
        actions.reshape(-1)[self._rows] = checked_choices(chosen, len(self._rows))


def as_agent(bot: str | Agent, config: GameConfig) -> Agent:
    """A bot itself, or the one of this name."""
    return bot if hasattr(bot, "act") else make_agent(bot, config)


def checked_choices(chosen: npt.ArrayLike, batch_size: int) -> npt.NDArray[np.integer]:
    """What ``act`` of a bot returned, as an array (B,); others than B integers are refused."""
    return check_integers("the result of act() of a bot", chosen, (batch_size,))
