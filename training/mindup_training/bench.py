"""Decisions that a learner plays and learns from, on one core."""

import argparse
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from mindup_env.bench.measurement import Measurement, calls_per_second
from mindup_env.bench.options import add_options, report
from mindup_env.config import GameConfig

_LIBRARIES = ("sb3_contrib", "torch")
_TURNS = 3


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, players=[4], num_envs=[256])
    parser.set_defaults(run=run, seconds=10.0)


def run(arguments: argparse.Namespace) -> int:
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise ValueError(f"training needs {', '.join(missing)}: pip install 'mindup-env[train]'")
    return report(measure(arguments.players, arguments.num_envs, arguments.seconds), arguments)


def measure(players: list[int], sizes: list[int], seconds: float) -> Iterator[Measurement]:
    """Each learner with its own defaults, on the same tables; prints how they compare."""
    # PyTorch takes seconds to load, and the other benchmarks do without it.
    from mindup_training import ppo  # noqa: PLC0415
    from mindup_training.sb3.learner import Sb3Learner  # noqa: PLC0415
    from mindup_training.settings import PPOSettings, TrainSettings  # noqa: PLC0415
    from mindup_training.threads import limit_threads  # noqa: PLC0415

    limit_threads(1)
    for seats in players:
        for games in sizes:
            of_sb3 = TrainSettings(
                players=seats, opponents=("greedy",), threads=1, ppo=PPOSettings(num_envs=games)
            )
            of_ppo = ppo.PPOConfig(GameConfig(num_players=seats), num_games=games)
            learners: dict[str, Sb3Learner | ppo.Learner]
            learners = {"sb3": Sb3Learner(of_sb3), "ppo": ppo.Learner(of_ppo)}
            speeds = dict.fromkeys(learners, 0.0)
            # In turns, so that what else the machine does meets both.
            for _ in range(_TURNS):
                for name, learner in learners.items():
                    rollouts = calls_per_second(partial(learner.learn, 1.0), seconds / _TURNS)
                    speeds[name] = max(speeds[name], rollouts * learner.rollout_size)
            for name, speed in speeds.items():
                yield Measurement(name, seats, games, observations=True, decisions_per_second=speed)
            print(
                f"ppo is {speeds['ppo'] / speeds['sb3']:.1f} times as fast as sb3; it learns from "
                f"each decision in {of_ppo.epochs} epoch, sb3 in {of_sb3.ppo.epochs}"
            )
