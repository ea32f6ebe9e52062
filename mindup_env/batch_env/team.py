"""The threads that play the games of an environment, and the arguments of their compiled step."""

from typing import Any, NamedTuple

from mindup_env.batch_env.buffers import Arrays, FlatArrays, StepBuffers, flatten
from mindup_env.engine.batch import Batch
from mindup_env.engine.kernel_team import KernelTeam
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.state import Int64Array
from mindup_env.observation.layout import Offsets
from mindup_env.rewards import RewardWeights

LEAST_GAMES = 256
"""A thread with fewer games would cost more time than it saves: waking it takes as long."""


class EnvArrays(NamedTuple):
    """All that a step of N games reads and writes."""

    batch: Batch
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    results: StepBuffers
    seen: Arrays  # what every seat sees
    final: Arrays  # what every seat saw before games that are over were dealt anew


class StepArguments(NamedTuple):
    """The arguments of ``run_command``, as plain tuples."""

    arrays: BatchArrays
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    weights: tuple[float, ...]
    results: tuple[Any, ...]
    offsets: tuple[int, ...]
    seen: FlatArrays
    final: FlatArrays


def make_team(
    env: EnvArrays, num_threads: int, offsets: Offsets, weights: RewardWeights
) -> KernelTeam:
    """A team of at most so many threads for the games of an environment."""
    num_games = len(env.keys)
    shared = env.batch.arrays, env.keys, env.actions, tuple(weights), tuple(env.results)
    # Each thread has scratch of its own.
    arguments = [
        StepArguments(*shared, tuple(offsets), flatten(env.seen), flatten(env.final))
        for _ in range(threads_for(num_games, num_threads))
    ]
    return KernelTeam(num_games, [tuple(each) for each in arguments])


def threads_for(num_games: int, num_threads: int) -> int:
    """How many of the threads play so many games."""
    return max(1, min(num_threads, num_games // LEAST_GAMES))
