"""Opponents drawn from a weighted list of bots, anew for every seat of every deal.

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


class DrawnOpponents:
    """Draws a bot for every opponent's seat of N games; each acts once per turn for its seats."""

    def __init__(self, config: GameConfig, bots: Sequence[str], num_games: int) -> None:
        """``bots`` are texts such as ``2:greedy``."""
        weights, self._names = zip(*map(parse_share, bots), strict=True)
        self._players, most_rows = config.num_players, num_games * (config.num_players - 1)
        self._bots = [
            BatchedSeats(make_agent(name, config), config, most_rows) for name in self._names
        ]
        # A bot is drawn where a random number is below its bound and not below the previous.
        self._bounds = np.cumsum(weights) / np.sum(weights)
        self._drawn = np.zeros((num_games, config.num_players - 1), np.int64)

    def assign_seats(self, learner_seats: Int64Array, keys: Keys) -> None:
        """Draws a bot for each seat but those of the learners (N,)."""
        draw_opponents(keys, self._bounds, self._drawn)
        games = np.arange(len(learner_seats))[:, None]
        seats = (learner_seats[:, None] + np.arange(1, self._players)) % self._players
        rows = games * self._players + seats
        for index, bot in enumerate(self._bots):
            bot.assign_rows(rows[self._drawn == index])

    def act(
        self, seen: dict[str, npt.NDArray[np.int8]], keys: Keys, turn: int, actions: Int64Array
    ) -> None:
        """Writes the actions (N, P) of the bots."""
        for bot in self._bots:
            bot.act(seen, keys, turn, actions)

    def find_illegal(self, masks: npt.NDArray[np.int8], actions: Int64Array) -> str | None:
        """The name of a bot that chose a card which is not in its hand, if there is one.

        Args:
            masks: the cards (N, P, C) in all hands.
            actions: what was chosen (N, P).
        """
        hands, cards = masks.reshape(-1, masks.shape[2]), np.arange(masks.shape[2])
        for name, bot in zip(self._names, self._bots, strict=True):
            is_chosen = actions.reshape(-1)[bot.rows, None] == cards
            if not (is_chosen & (hands[bot.rows] != 0)).any(axis=1).all():
                return str(name)
        return None


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
