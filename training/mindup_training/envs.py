"""What learners of a training run play and see, for one seat of a game or several."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features import FeatureEncoder, FeatureShape, import_encoder
from mindup_agents.policy.own_code import NO_OWN_CODE, OwnCode
from mindup_env.batch_env import BatchEnv, dealt_state
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.envs.random_bits import draw_random_bits
from mindup_env.threads.pool import NumThreads
from mindup_training.opponent_mix import OpponentShare


class EnvConfig(NamedTuple):
    """What is played for training, in equally many games of each config."""

    configs: tuple[GameConfig, ...]
    opponents: tuple[OpponentShare, ...]
    reward: str
    features: str
    num_envs: int  # of all configs together
    own_code: OwnCode = NO_OWN_CODE  # of the policy, for snapshots that play
    pad_to_players: int | None = None  # of the features

    def make_encoder(self, config: GameConfig, num_threads: NumThreads = 1) -> FeatureEncoder:
        """The encoder of the learners' features in the games of a config."""
        return import_encoder(self.features, config, num_threads, self.pad_to_players)

    def feature_shape(self) -> FeatureShape:
        """The shape of the rows, which is the same for all configs."""
        shapes = {self.make_encoder(config).shape for config in self.configs}
        if len(shapes) != 1:
            raise ValueError(f"the features {self.features!r} differ in size between configs")
        return shapes.pop()


class SeatEncoder:
    """Encodes what some seats of a BatchEnv see, as rows of features for a network."""

    def __init__(self, encoder: FeatureEncoder, rows: npt.NDArray[np.float32]) -> None:
        """``rows`` (B, features) is written to."""
        self._encoder = encoder
        self._rows = rows
        self._random_bits = np.zeros(len(rows), np.uint64)

    def encode(
        self, env: BatchEnv, seats: npt.NDArray[np.int64], turn: int
    ) -> npt.NDArray[np.int8]:
        """Fills the rows for ``seats`` (N, k) of N games; returns their masks (N * k, cards)."""
        num_players = env.config.num_players
        own = (np.arange(len(seats))[:, None] * num_players + seats).ravel()
        draw_random_bits(env.keys, own, num_players, turn, self._random_bits)
        seen = {name: array.reshape(-1, array.shape[-1])[own] for name, array in env.seen.items()}
        mask: npt.NDArray[np.int8] = seen["action_mask"]
        episode_start = np.full(len(own), turn == 0)
        self._encoder.fill(seen["observation"], mask, episode_start, self._random_bits, self._rows)
        return mask


def deal_episode(env: BatchEnv, seed: int, episode: int) -> None:
    """Deals the episode of that number, as the resets before it would in turn."""
    env.reset(seed=seed)
    if episode > 0:
        skip_to_episode(env, episode)
        env.reset()


def skip_to_episode(env: BatchEnv, episode: int) -> None:
    """After a reset with a seed: lets the next reset without one deal this episode.

    The deal of an episode depends on its number alone, so those before it need not be played.
    """
    keys = env.keys
    keys[:, streams.EPISODE] = episode - 1
    env.set_state(range(env.num_envs), dealt_state(env.config, keys))
