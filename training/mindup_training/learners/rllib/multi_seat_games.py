"""Games of one config, in each of which several seats learn."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.batch_env import BatchEnv
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_training.envs import EnvConfig, SeatEncoder, deal_episode
from mindup_training.opponent_mix import MixedOpponents
from mindup_training.own_code import make_reward

_PART = 1
"""Part of the stream that draws seats; part 0 draws the seat of a single learner."""


class SeatResults(NamedTuple):
    """What a turn brought the seats that learn."""

    rewards: npt.NDArray[np.float32]  # (learners,)
    win_shares: npt.NDArray[np.float32]  # (learners,) 0 before the end of the game


class MultiSeatGames:
    """The learners of a game have consecutive ``rows``, which their features are written into."""

    def __init__(
        self,
        config: GameConfig,
        env_config: EnvConfig,
        learning_seats: int,
        rows: npt.NDArray[np.float32],  # (games * learning_seats, features)
    ) -> None:
        num_games = len(rows) // learning_seats
        self.config, self.rows = config, rows
        self._own_code = env_config.own_code
        reward = make_reward(env_config.reward, config)
        self._env = BatchEnv(config, num_games, reward=reward, illegal_action="raise")
        self._opponents = MixedOpponents.of(config, env_config.opponents, num_games)
        self._encoder = SeatEncoder(env_config.make_encoder(config), rows)
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._games = np.arange(num_games)[:, None]
        self._shuffled = np.zeros(config.num_players, np.int8)
        self.seats = np.zeros((num_games, learning_seats), np.int64)
        self._turn = 0

    def set_snapshots(self, snapshots: tuple[Policy, ...], share: float) -> None:
        """Lets these snapshots play ``share`` of the other seats, from the next deal on."""
        agents = [
            PolicyAgent.of(policy, self.config, temperature=1, own_code=self._own_code)
            for policy in snapshots
        ]
        self._opponents.set_snapshots(agents, share)

    def reset(self, seed: int, episode: int) -> None:
        """Deals the episode of that number."""
        deal_episode(self._env, seed, episode)
        draw_learning_seats(self._env.keys, self._shuffled, self.seats)
        self._opponents.assign_seats(self.seats, self._env.keys)
        self._turn = 0
        self._encoder.encode(self._env, self.seats, self._turn)

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the learners' actions, and what the opponents choose at the same time."""
        env = self._env
        self._opponents.act(env.seen, env.keys, self._turn, self._actions)
        self._actions[self._games, self.seats] = actions.reshape(self.seats.shape)
        _, rewards, over, _, info = env.step(self._actions)
        self._turn += 1
        shares = info["win_share"] if over.all() else np.zeros_like(rewards)
        results = SeatResults(*(self._of_learners(array) for array in (rewards, shares)))
        if not over.all():  # otherwise the next game is dealt already, and may never be played
            self._encoder.encode(env, self.seats, self._turn)
        return results

    def _of_learners(self, array: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        return array[self._games, self.seats].astype(np.float32).ravel()


@kernel
def draw_learning_seats(keys: Keys, shuffled: Int8Array, seats: Int64Array) -> None:
    """Fills ``seats`` (N, learning_seats) with different random seats for each game.

    ``shuffled`` (num_players,) is scratch memory.
    """
    for g in range(len(seats)):
        for seat in range(len(shuffled)):
            shuffled[seat] = seat
        streams.shuffle(shuffled, keys[g], streams.LEARNER_SEAT, _PART)
        for i in range(seats.shape[1]):
            seats[g, i] = shuffled[i]
