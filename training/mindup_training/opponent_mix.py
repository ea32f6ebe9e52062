"""Opponents drawn from a weighted mix of bots, anew for every seat of every deal.

A bot ``mixture`` among them draws once more, for each of its seats in each game.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mindup_agents.mixture import parse_share
from mindup_env.agent import make_agent
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.envs.opponents import BatchedSeats


class MixedOpponents:
    """Draws a bot for every opponent's seat, anew in each game.

    Each of them acts once per step, for all its seats.
    """

    def __init__(self, config: GameConfig, mix: Sequence[str], num_games: int) -> None:
        """``mix`` are texts such as ``2:greedy``."""
        weights, self._names = zip(*map(parse_share, mix), strict=True)
        self._num_players, most_rows = config.num_players, num_games * (config.num_players - 1)
        self._agents = [
            BatchedSeats(make_agent(name, config), config, most_rows) for name in self._names
        ]
        # An agent is drawn where a random number is below its bound and not below the previous.
        self._bounds = np.cumsum(weights) / np.sum(weights)
        self._drawn = np.zeros((num_games, config.num_players - 1), np.int64)

    def assign_seats(self, learner_seats: Int64Array, keys: Keys) -> None:
        """Draws an agent for each seat but those of the learners (N,)."""
        draw_opponents(keys, self._bounds, self._drawn)
        players = self._num_players
        seats = (learner_seats[:, None] + np.arange(1, players)) % players
        rows = np.arange(len(seats))[:, None] * players + seats
        for index, agent in enumerate(self._agents):
            agent.assign_rows(rows[self._drawn == index])

    def act(
        self, seen: dict[str, npt.NDArray[np.int8]], keys: Keys, decision: int, actions: Int64Array
    ) -> None:
        for agent in self._agents:
            agent.act(seen, keys, decision, actions)

    def refuse_illegal(
        self, masks: npt.NDArray[np.int8], actions: Int64Array, decision: int
    ) -> None:
        """Raises an error that names the bot with the first illegal action, if any."""
        for name, agent in zip(self._names, self._agents, strict=True):
            for row in agent.rows.tolist():
                game, player = divmod(row, self._num_players)
                legal = np.flatnonzero(masks[game, player]).tolist()
                if actions[game, player] not in legal:
                    raise ValueError(
                        f"opponent {name} cannot take action {actions[game, player]} in turn "
                        f"{decision + 1}; legal are {legal}"
                    )


@kernel
def draw_opponents(keys: Keys, bounds: npt.NDArray[np.float64], drawn: Int64Array) -> None:
    """Fills ``drawn`` (N, P - 1) with indices into ``bounds``, for the seats after the learner."""
    for g in range(len(drawn)):
        for seat in range(drawn.shape[1]):
            bits = streams.random_block(keys[g], streams.OPPONENTS, seat, 0)[0]
            uniform = bits / 2.0**32
            index = 0
            while uniform >= bounds[index]:
                index += 1
            drawn[g, seat] = index
