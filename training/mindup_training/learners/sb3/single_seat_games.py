"""Games of one config, in each of which one seat learns."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.batch_env import BatchEnv
from mindup_env.config import GameConfig
from mindup_env.envs.learner_tables import LearnerTables, StepResults
from mindup_env.threads.pool import NumThreads
from mindup_training.envs import EnvConfig, SeatEncoder, skip_to_episode
from mindup_training.opponent_mix import MixedOpponents
from mindup_training.own_code import make_reward


class SingleSeatGames:
    """The learner has a random seat in each of N games; its features are written into ``rows``."""

    def __init__(
        self,
        config: GameConfig,
        env_config: EnvConfig,
        rows: npt.NDArray[np.float32],  # (N, features)
        masks: npt.NDArray[np.bool_],  # (N, cards)
        num_threads: NumThreads,
    ) -> None:
        num_games = len(rows)
        self.config = config
        self._masks, self._num_threads = masks, num_threads
        self._own_code = env_config.own_code
        self._encoder = SeatEncoder(env_config.make_encoder(config, num_threads), rows)
        self._opponents = MixedOpponents.of(config, env_config.opponents, num_games)
        batch = BatchEnv(
            config,
            num_games,
            reward=make_reward(env_config.reward, config),
            illegal_action="raise",
            num_threads=num_threads,
        )
        self._tables = LearnerTables(batch, self._opponents, "random")
        self._turn = 0

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots play ``share`` of the opponents' seats, between two games."""
        agents = [
            PolicyAgent.of(
                policy,
                self.config,
                temperature=1,
                own_code=self._own_code,
                num_threads=self._num_threads,
            )
            for policy in snapshots
        ]
        self._opponents.set_snapshots(agents, share)
        # The next game is dealt already, and is to be played with them.
        self._opponents.assign_seats(self._tables.seats, self._tables.batch.keys)

    def reset(self, seed: int, episode: int) -> None:
        """Deals the episode of that number."""
        self._tables.reset(seed)
        if episode > 0:
            skip_to_episode(self._tables.batch, episode)
            self._tables.reset(None)
        self._turn = 0
        self._encode()

    def step(self, actions: npt.NDArray[np.integer]) -> StepResults:
        results = self._tables.step(actions)
        self._turn = (self._turn + 1) % self.config.num_turns
        self._encode()
        return results

    def _encode(self) -> None:
        seats = self._tables.seats[:, None]
        self._masks[:] = self._encoder.encode(self._tables.batch, seats, self._turn)
