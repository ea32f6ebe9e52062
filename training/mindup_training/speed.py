"""Decisions per second that a learner plays and learns from, in one thread.

Example: mindup bench train
"""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product

from mindup_env.bench.measuring import BenchSettings, Measurement, add_benchmark, calls_per_second
from mindup_env.config import GameConfig
from mindup_env.settings.declaration import settings
from mindup_env.settings.extras import require

_REPEATS = 3


@settings
class TrainBench(BenchSettings):
    """The settings of ``mindup bench train``."""

    num_envs: tuple[int, ...] = (256,)
    seconds: float = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    add_benchmark(parser, TrainBench, measure)


def measure(chosen: TrainBench) -> Iterator[Measurement]:
    """Each learner with its own defaults, on the same games; prints how they compare."""
    require("training", "train", "sb3_contrib", "torch")
    # PyTorch takes seconds to load, and the other benchmarks do without it.
    from mindup_training.ppo import PPO, PPOConfig  # noqa: PLC0415
    from mindup_training.sb3 import Sb3Learner  # noqa: PLC0415
    from mindup_training.settings import TrainSettings  # noqa: PLC0415
    from mindup_training.trainer.learner import prepare_torch  # noqa: PLC0415

    prepare_torch(1)
    for num_players, num_envs in product(chosen.players, chosen.num_envs):
        game = GameConfig(num_players=num_players)
        sb3_settings = TrainSettings(game=game, opponents=("greedy",), num_envs=num_envs, threads=1)
        ppo_config = PPOConfig(game=game, num_envs=num_envs)
        learners: dict[str, Sb3Learner | PPO]
        learners = {"sb3": Sb3Learner(sb3_settings), "ppo": PPO(ppo_config)}
        speeds = dict.fromkeys(learners, 0.0)
        # They alternate, so that other load of the machine affects both.
        for _ in range(_REPEATS):
            for name, learner in learners.items():
                rollouts = calls_per_second(partial(learner.learn, 1.0), chosen.seconds / _REPEATS)
                speeds[name] = max(speeds[name], rollouts * learner.rollout_size)
        for name, speed in speeds.items():
            yield Measurement(
                name,
                num_players,
                num_envs,
                observations=True,
                decisions_per_second=speed,
            )
        print(
            f"ppo is {speeds['ppo'] / speeds['sb3']:.1f} times as fast as sb3; ppo makes "
            f"{ppo_config.epochs} pass over each rollout, sb3 {sb3_settings.epochs}"
        )
