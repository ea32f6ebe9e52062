"""Tables at which several seats learn, and the rows of inputs of those seats."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features import make_encoder
from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.batch_env import BatchEnv
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import draw_random_bits
from mindup_training.learner_rows import Tables
from mindup_training.opponent_mix import MixedOpponents

_PART = 1
"""Of the stream for the learners' seats; another part draws the seat of a single learner."""


class SeatResults(NamedTuple):
    """What a turn brought the learners."""

    rewards: npt.NDArray[np.float32]  # (learners,)
    win_shares: npt.NDArray[np.float32]  # (learners,) all 0 before the end of the game


class SharedTables:
    """Tables of one config; the learners of a table stand beside each other in ``rows``."""

    def __init__(
        self, config: GameConfig, tables: Tables, learning: int, rows: npt.NDArray[np.float32]
    ) -> None:
        num_games = len(rows) // learning
        self._config, self._rows = config, rows
        self._env = BatchEnv(config, num_games, reward=tables.reward, illegal_action="raise")
        self._bots = MixedOpponents.of(config, tables.opponents, num_games)
        self._encoder = make_encoder(tables.features, config)
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._random_bits = np.zeros(len(rows), np.uint64)
        self._games = np.arange(num_games)[:, None]
        self._order = np.zeros(config.num_players, np.int8)
        self.seats = np.zeros((num_games, learning), np.int64)
        self._turn = 0

    def invite(self, snapshots: tuple[Policy, ...], share: float) -> None:
        """Gives them ``share`` of the seats that do not learn, from the next deal on."""
        guests = [PolicyAgent.of(policy, self._config, temperature=1) for policy in snapshots]
        self._bots.invite(guests, share)

    def deal(self, seed: int, episode: int) -> None:
        """Deals the episode of that number: no need to play those before it."""
        self._env.reset(seed)
        if episode > 0:
            self._env.keys[:, streams.EPISODE] = episode - 1
            self._env.reset()
        draw_learners(self._env.keys, self._order, self.seats)
        self._bots.assign_seats(self.seats, self._env.keys)
        self._turn = 0
        self._look()

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the learners' actions with what the bots choose at the same time."""
        env = self._env
        self._bots.act(env.seen, env.keys, self._turn, self._actions)
        self._actions[self._games, self.seats] = actions.reshape(self.seats.shape)
        _, rewards, over, _, info = env.step(self._actions)
        self._turn += 1
        shares = info["win_share"] if over.all() else np.zeros_like(rewards)
        played = SeatResults(*(self._of_learners(array) for array in (rewards, shares)))
        if not over.all():
            self._look()  # what was dealt after the end may never be played
        return played

    def _of_learners(self, array: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        return array[self._games, self.seats].astype(np.float32).ravel()

    def _look(self) -> None:
        own = (self._games * self._config.num_players + self.seats).ravel()
        draw_random_bits(
            self._env.keys, own, self._config.num_players, self._turn, self._random_bits
        )
        seen = {
            name: array.reshape(-1, array.shape[-1])[own] for name, array in self._env.seen.items()
        }
        episode_start = np.full(len(own), self._turn == 0)
        self._encoder.fill(
            seen["observation"], seen["action_mask"], episode_start, self._random_bits, self._rows
        )


@kernel
def draw_learners(keys: Keys, order: Int8Array, seats: Int64Array) -> None:
    """Fills ``seats`` (N, learning) with different random seats for each game.

    ``order`` (num_players,) is room for all seats of a table.
    """
    for g in range(len(seats)):
        for seat in range(len(order)):
            order[seat] = seat
        streams.shuffle(order, keys[g], streams.LEARNER_SEAT, _PART)
        for place in range(seats.shape[1]):
            seats[g, place] = order[place]
