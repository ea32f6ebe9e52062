"""Decisions per second that the learners play and learn from, in one thread.

Example: mindup bench train
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from stable_baselines3.common.logger import Logger

from mindup_env.bench.measuring import BenchSettings, Measurement, add_benchmark, calls_per_second
from mindup_env.config import GameConfig
from mindup_env.settings.declaration import settings
from mindup_training import ppo, train
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.sb3 import NetworkPPO
from mindup_training.torch_setup import prepare_torch

_REPEATS = 3


@settings
class TrainBench(BenchSettings):
    """The settings of ``mindup bench train``."""

    num_envs: tuple[int, ...] = (128,)
    seconds: float = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    add_benchmark(parser, TrainBench, measure)


def measure(chosen: TrainBench) -> Iterator[Measurement]:
    """Both learners, with the same number of games."""
    prepare_torch(1)
    for num_players, num_envs in product(chosen.players, chosen.num_envs):
        config = GameConfig(num_players)
        by_itself = ppo.PPO(ppo.Settings(players=num_players, num_envs=num_envs))
        seats = {"sb3": num_envs, "ppo": num_envs * num_players}  # that learn
        learners = {"sb3": learning_sb3(config, num_envs), "ppo": by_itself.learn}
        speeds = dict.fromkeys(learners, 0.0)
        # They alternate, so that other load of the machine affects both.
        for _ in range(_REPEATS):
            for name, learn in learners.items():
                rollouts = calls_per_second(learn, chosen.seconds / _REPEATS)
                speeds[name] = max(speeds[name], rollouts * seats[name] * config.num_turns)
        for name, speed in speeds.items():
            yield Measurement(
                name, num_players, num_envs, observations=True, decisions_per_second=speed
            )


def learning_sb3(config: GameConfig, num_envs: int) -> Callable[[], object]:
    """A call that plays and learns from a rollout as ``mindup train`` does."""
    quick = train.PRESETS["quick"]
    network = BiddingNetwork(config, quick.models, quick.widths)
    games = TrainingGames(config, num_envs, quick.opponents, quick.reward, 0, network.state_shapes)
    model = NetworkPPO(
        games,
        network,
        aux_coef=quick.aux_coef,
        batch_size=quick.batch_size,
        n_epochs=quick.epochs,
    )
    model.set_logger(Logger(None, []))
    return partial(model.learn, num_envs * config.num_turns, reset_num_timesteps=False)
