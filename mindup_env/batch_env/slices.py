"""Slices of a batch: neighbouring games that one thread plays."""

from typing import NamedTuple

import numpy as np

from mindup_env.batch_env import kernels as step_kernels
from mindup_env.batch_env.buffers import Arrays, StepBuffers, flatten
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.observation.layout import Offsets
from mindup_env.rewards import RewardWeights
from mindup_env.thread_team import split

LEAST_GAMES = 512
"""A thread with fewer games would cost more time than it saves: waking it takes as long."""


class EnvArrays(NamedTuple):
    """All that a step of N games reads and writes."""

    batch: Batch
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    results: StepBuffers
    seen: Arrays  # what every seat sees
    final: Arrays  # what every seat saw before games that are over were dealt anew


class BatchSlice:
    """Some games of an environment, as arguments of the compiled functions.

    All arrays are views of those of the environment.
    """

    def __init__(
        self, env: EnvArrays, games: slice, offsets: Offsets, weights: RewardWeights
    ) -> None:
        rules, state = env.batch.arrays
        self.arrays = rules, tuple(field[games] for field in state)
        self.keys = env.keys[games]
        self.actions = env.actions[games]
        self._seen, self._final = flatten(env.seen, games), flatten(env.final, games)
        results = tuple(field[games] for field in env.results)
        self._turn = self.arrays, self.actions, tuple(weights), results
        self._view = self.arrays, tuple(offsets), self._seen

    def deal(self) -> None:
        kernels.deal_all(self.arrays, self.keys)
        self.observe()

    def observe(self) -> None:
        step_kernels.observe_all(*self._view)

    def play(self) -> int:
        """Plays a turn and writes what every seat sees then; returns as ``play_turns`` does."""
        happened = step_kernels.play_turns(*self._turn)
        step_kernels.observe_all(*self._view)
        return happened

    def keep_final(self) -> None:
        """Keeps what every seat sees now as the last observation of games that are over."""
        for seen, final in zip(self._seen[:2], self._final[:2], strict=True):
            np.copyto(final, seen)

    def redeal_finished(self) -> None:
        step_kernels.redeal_finished(self.arrays, self.keys)
        self.observe()


def cut(
    env: EnvArrays, num_slices: int, offsets: Offsets, weights: RewardWeights
) -> list[BatchSlice]:
    """Cuts all games into at most so many slices of about equal size."""
    return [
        BatchSlice(env, games, offsets, weights)
        for games in split(len(env.keys), num_slices, LEAST_GAMES)
    ]
