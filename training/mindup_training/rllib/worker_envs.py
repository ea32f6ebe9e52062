"""All tables of one worker, whatever their configs: whole games of them are played together."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features import make_encoder
from mindup_agents.policy import Policy
from mindup_training.distributed import Rllib
from mindup_training.rllib.tables import SeatResults, SharedTables
from mindup_training.settings import TrainSettings


class WorkerShare(NamedTuple):
    """The part of the environments that a worker has: of ``workers``, that of ``number``."""

    number: int
    workers: int

    def of(self, total: int) -> int:
        return len(range(self.number, total, self.workers))


class WorkerEnvs:
    """The learners of all tables have a row each, in one array."""

    def __init__(self, settings: TrainSettings, share: WorkerShare) -> None:
        configs, tables = settings.configs, settings.tables
        learning = (settings.rllib or Rllib()).learning_seats
        num_games = share.of(settings.ppo.num_envs)
        if num_games < len(configs):
            raise ValueError(
                f"num_envs must be at least {len(configs) * share.workers}, for {len(configs)} "
                f"tables in each of {share.workers} env runners, not {settings.ppo.num_envs}"
            )
        shape = make_encoder(settings.features, configs[0]).shape
        self.num_turns = configs[0].num_turns
        self.rows = np.zeros((num_games * learning, shape.size), np.float32)
        parts = np.array_split(np.arange(num_games), len(configs))
        self._parts = [slice(part[0] * learning, (part[-1] + 1) * learning) for part in parts]
        self._groups = [
            SharedTables(config, tables, learning, self.rows[part])
            for config, part in zip(configs, self._parts, strict=True)
        ]
        # Each worker and each config has cards of its own.
        seeds = np.random.SeedSequence((settings.seed, share.number))
        self._seeds = seeds.generate_state(len(configs), np.uint64).tolist()

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """Where the learner of each row sits."""
        return np.concatenate([group.seats.ravel() for group in self._groups])

    def invite(self, snapshots: tuple[Policy, ...], share: float) -> None:
        for group in self._groups:
            group.invite(snapshots, share)

    def deal(self, episode: int) -> None:
        for group, seed in zip(self._groups, self._seeds, strict=True):
            group.deal(seed, episode)

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        played = [
            group.step(actions[part]) for group, part in zip(self._groups, self._parts, strict=True)
        ]
        return SeatResults(*(np.concatenate(arrays) for arrays in zip(*played, strict=True)))
