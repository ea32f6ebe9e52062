"""Opponents drawn from a mix of bots, anew for every seat of every deal."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.envs.opponents import BatchedSeats

_WEIGHTED = re.compile(r"([0-9]+(?:\.[0-9]+)?):(.+)")


class OpponentShare(NamedTuple):
    """A bot, and how often it is drawn compared with the others."""

    weight: float
    spec: str


def parse_share(text: str) -> OpponentShare:
    """Reads ``greedy``, or with a weight ``2:greedy``, where agents may have options."""
    found = _WEIGHTED.fullmatch(text)
    share = OpponentShare(float(found[1]), found[2]) if found else OpponentShare(1.0, text)
    if share.weight == 0:
        raise ValueError(f"the weight of an opponent must be more than 0: {text!r}")
    return share


class MixedOpponents:
    """Each agent chooses once a step for all the seats it was drawn for."""

    def __init__(
        self,
        config: GameConfig,
        agents: Sequence[Agent],
        weights: Sequence[float],
        num_games: int,
    ) -> None:
        seats = num_games, config.num_players - 1
        self._num_players = config.num_players
        self._config, self._most_rows = config, seats[0] * seats[1]
        self._agents = [BatchedSeats(agent, config, self._most_rows) for agent in agents]
        self._own_bounds = self._bounds = np.cumsum(weights) / np.sum(weights)
        self._drawn = np.zeros(seats, np.int64)

    @classmethod
    def of(
        cls, config: GameConfig, mix: Sequence[OpponentShare], num_games: int
    ) -> "MixedOpponents":
        agents = [make_agent(share.spec, config) for share in mix]
        return cls(config, agents, [share.weight for share in mix], num_games)

    def invite(self, guests: Sequence[Agent], share: float) -> None:
        """Gives ``share`` of the seats to guests, as many to each, instead of those before them.

        They sit down with the others, at the next deal.
        """
        own = self._own_bounds
        seated = [BatchedSeats(guest, self._config, self._most_rows) for guest in guests]
        self._agents[len(own) :] = seated
        guests_bounds = np.linspace(1 - share, 1, len(guests) + 1)[1:]
        self._bounds = np.concatenate([(1 - share) * own, guests_bounds])

    def assign_seats(self, learner_seats: npt.NDArray[np.integer], keys: Keys) -> None:
        """Takes the seats that are left by the learners: one in each game, or several (N, k)."""
        draw_opponents(keys, self._bounds, self._drawn)
        players = self._num_players
        games = np.arange(len(learner_seats))[:, None]
        learners = learner_seats.reshape(len(games), -1)
        seats = (learners[:, :1] + np.arange(1, players)) % players
        left = np.ones((len(games), players), np.bool_)
        left[games, learners] = False
        rows, free = games * players + seats, left[games, seats]
        for number, agent in enumerate(self._agents):
            agent.assign_rows(rows[free & (self._drawn == number)])

    def act(
        self,
        seen: dict[str, npt.NDArray[np.int8]],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None:
        for agent in self._agents:
            agent.act(seen, keys, decision, actions)


@kernel
def draw_opponents(keys: Keys, bounds: npt.NDArray[np.float64], drawn: Int64Array) -> None:
    """Fills ``drawn`` (N, P - 1), for the seats after the learner's, with places in ``bounds``."""
    for g in range(len(drawn)):
        for seat in range(drawn.shape[1]):
            bits = streams.random_block(keys[g], streams.OPPONENTS, seat, 0)[0]
            chance = bits / 2.0**32
            number = 0
            while chance >= bounds[number]:
                number += 1
            drawn[g, seat] = number
