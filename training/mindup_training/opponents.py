"""Opponents drawn from a weighted list of bots, anew for every seat of every deal.

A bot ``mixture`` among them draws once more, for each of its seats in each game.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mindup_agents.mixture import parse_share
from mindup_env import BatchEnv
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int64Array, Keys
from mindup_env.envs.seated_bots import SeatedBots


class DrawnOpponents:
    """Draws a bot for every opponent's seat of N games."""

    def __init__(self, env: BatchEnv, bots: Sequence[str]) -> None:
        """``bots`` are texts such as ``2:greedy``."""
        weights, names = zip(*map(parse_share, bots), strict=True)
        # Random numbers from the bound before it to its own draw a bot.
        self._bounds = np.cumsum(weights) / np.sum(weights)
        self._env = env
        self._drawn = np.zeros((env.num_envs, env.config.num_players - 1), np.int64)
        unassigned = np.full(env.config.num_players, -1)
        self._bots = SeatedBots(env, dict(enumerate(names)), unassigned)

    def assign_seats(self, learner_seats: Int64Array) -> None:
        """Draws a bot for each seat but those of the learners (N,)."""
        draw_opponents(self._env.keys, self._bounds, self._drawn)
        players = self._env.config.num_players
        others = (learner_seats[:, None] + np.arange(1, players)) % players  # (N, P - 1)
        bots = np.full((len(learner_seats), players), -1)
        np.put_along_axis(bots, others, self._drawn, axis=1)
        self._bots.assign(bots)

    def act(self, actions: Int64Array) -> None:
        """Writes the actions (N, P) of the bots."""
        self._bots.act(actions)


@kernel
def draw_opponents(keys: Keys, bounds: npt.NDArray[np.float64], drawn: Int64Array) -> None:
    """Fills in indices into ``bounds`` (N, P - 1), for the seats after the learner."""
    for g in range(len(drawn)):
        for seat in range(drawn.shape[1]):
            bits = streams.random_block(keys[g], streams.OPPONENTS, seat, 0)[0]
            uniform = bits / 2.0**32
            index = 0
            while uniform >= bounds[index]:
                index += 1
            drawn[g, seat] = index
