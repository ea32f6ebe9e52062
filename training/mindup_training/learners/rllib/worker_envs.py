"""All games of one worker, of all configs: they are played together, from deal to end."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.policy import Policy
from mindup_training.learners.rllib.multi_seat_games import MultiSeatGames, SeatResults
from mindup_training.settings import RllibSettings, TrainSettings


class WorkerShare(NamedTuple):
    """Which part of the environments a worker has."""

    worker: int  # from 0
    num_workers: int

    def of(self, total: int) -> int:
        return len(range(self.worker, total, self.num_workers))


class WorkerEnvs:
    """The learners of all games have a row each, in one array."""

    def __init__(self, settings: TrainSettings, share: WorkerShare) -> None:
        configs, env_config = settings.configs, settings.env_config
        learning_seats = (settings.rllib or RllibSettings()).learning_seats
        num_games = share.of(settings.ppo.num_envs)
        if num_games < len(configs):
            raise ValueError(
                f"num_envs must be at least {len(configs) * share.num_workers}, for "
                f"{len(configs)} configs in each of {share.num_workers} env runners, not "
                f"{settings.ppo.num_envs}"
            )
        shape = env_config.feature_shape()
        self.num_turns = configs[0].num_turns
        self.rows = np.zeros((num_games * learning_seats, shape.size), np.float32)
        parts = np.array_split(np.arange(num_games), len(configs))
        self._parts = [
            slice(part[0] * learning_seats, (part[-1] + 1) * learning_seats) for part in parts
        ]
        self._groups = [
            MultiSeatGames(config, env_config, learning_seats, self.rows[part])
            for config, part in zip(configs, self._parts, strict=True)
        ]
        # Each worker and each config has deals of its own.
        seeds = np.random.SeedSequence((settings.seed, share.worker))
        self._seeds = seeds.generate_state(len(configs), np.uint64).tolist()

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of the learner of each row."""
        return np.concatenate([group.seats.ravel() for group in self._groups])

    def set_snapshots(self, snapshots: tuple[Policy, ...], share: float) -> None:
        for group in self._groups:
            group.set_snapshots(snapshots, share)

    def reset(self, episode: int) -> None:
        for group, seed in zip(self._groups, self._seeds, strict=True):
            group.reset(seed, episode)

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        results = [
            group.step(actions[part]) for group, part in zip(self._groups, self._parts, strict=True)
        ]
        return SeatResults(*(np.concatenate(arrays) for arrays in zip(*results, strict=True)))
