"""The tables of one config that learners sit at, and the rows of inputs they learn from."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features import make_encoder
from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.envs.learner_tables import LearnerTables, StepResults
from mindup_env.envs.opponents import draw_random_bits
from mindup_training.opponent_mix import MixedOpponents, OpponentShare


class Tables(NamedTuple):
    """What is played for training: the same for each of the configs."""

    configs: tuple[GameConfig, ...]
    opponents: tuple[OpponentShare, ...]
    reward: str
    features: str
    num_envs: int  # of all configs together


class LearnerRows:
    """A learner at each of ``num_games`` tables; it writes into the rows it is given."""

    def __init__(
        self,
        config: GameConfig,
        tables: Tables,
        rows: npt.NDArray[np.float32],
        masks: npt.NDArray[np.bool_],
    ) -> None:
        num_games = len(rows)
        self.config = config
        self._rows, self._masks = rows, masks
        self._encoder = make_encoder(tables.features, config)
        self._opponents = MixedOpponents.of(config, tables.opponents, num_games)
        self._tables = LearnerTables(
            config,
            num_games,
            self._opponents,
            "random",
            reward=tables.reward,
            illegal_action="raise",
            autoreset=True,
        )
        self._turn = 0
        self._random_bits = np.zeros(num_games, np.uint64)
        self._first_rows = np.arange(num_games) * config.num_players

    def invite(self, snapshots: Sequence[Policy], share: float) -> None:
        """Gives them ``share`` of the opponents' seats, between two games."""
        guests = [PolicyAgent.of(policy, self.config, temperature=1) for policy in snapshots]
        self._opponents.invite(guests, share)
        # The next game is dealt already, and is to be played with them.
        self._opponents.assign_seats(self._tables.seats, self._tables.batch.keys)

    def deal(self, seed: int, episode: int) -> None:
        """Deals the episode of that number: no need to play those before it."""
        self._tables.reset(seed)
        if episode > 0:
            self._tables.batch.keys[:, streams.EPISODE] = episode - 1
            self._tables.reset(None)
        self._turn = 0
        self._look()

    def step(self, actions: npt.NDArray[np.integer]) -> StepResults:
        played = self._tables.step(actions)
        self._turn = (self._turn + 1) % self.config.num_turns
        self._look()
        return played

    def _look(self) -> None:
        seats, batch = self._tables.seats, self._tables.batch
        own = self._first_rows + seats
        draw_random_bits(batch.keys, own, self.config.num_players, self._turn, self._random_bits)
        seen = {name: array.reshape(-1, array.shape[-1])[own] for name, array in batch.seen.items()}
        episode_start = np.full(len(own), self._turn == 0)
        self._masks[:] = seen["action_mask"]
        self._encoder.fill(
            seen["observation"], seen["action_mask"], episode_start, self._random_bits, self._rows
        )
