"""Measure the decisions per second that both learners play and learn from."""

from collections.abc import Sequence
from dataclasses import dataclass

import tyro
from stable_baselines3.common.logger import Logger

from mindup_env.bench import Play, check_seconds, print_table, speed_of
from mindup_training import ppo
from mindup_training.settings import TrainSettings
from mindup_training.torch_setup import prepare_torch
from mindup_training.train import make_learner

_REPEATS = 3


@dataclass
class Options:
    """What is measured, on one core."""

    players: int = 4  # players of a game
    num_envs: int = 128  # games at once
    seconds: float = 10.0  # time for each learner


def main(words: Sequence[str]) -> int:
    """Runs ``mindup bench train``."""
    options = tyro.cli(Options, prog="mindup bench train", description=__doc__, args=words)
    check_seconds(options.seconds)
    prepare_torch(1)
    players = options.players
    num_envs = options.num_envs
    learners = {
        "MaskablePPO of sb3-contrib, one seat": play_sb3(
            TrainSettings(players, num_envs=num_envs, timesteps=10**12)
        ),
        "`mindup_training.ppo`, all seats": play_ppo(ppo.Settings(players, num_envs=num_envs)),
    }
    speeds = dict.fromkeys(learners, 0.0)
    # They alternate: other load of the machine affects both.
    for _ in range(_REPEATS):
        for name, play in learners.items():
            speeds[name] = max(speeds[name], speed_of(play, options.seconds / _REPEATS))
    head = [
        f"{options.num_envs} games of {options.players} players",
        "decisions per second, played and learned from",
    ]
    print_table(head, ((name, f"{speed:,.0f}") for name, speed in speeds.items()))
    return 0


def play_ppo(settings: ppo.Settings) -> Play:
    """Plays a rollout and learns from it, again and again."""
    learner = ppo.PPO(settings)
    while True:
        learner.learn()
        yield settings.num_envs * learner.config.num_turns * learner.config.num_players


def play_sb3(settings: TrainSettings) -> Play:
    """The same, as ``mindup train`` does."""
    learner = make_learner(settings)
    learner.set_logger(Logger(None, []))
    decisions = settings.num_envs * settings.config().num_turns
    while True:
        learner.learn(decisions, reset_num_timesteps=False)
        yield decisions
