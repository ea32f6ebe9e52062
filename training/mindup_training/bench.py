"""``mindup bench train``: decisions per second that both learners play and learn from."""

from collections.abc import Sequence
from dataclasses import dataclass

import tyro
from stable_baselines3.common.logger import Logger

from mindup_env.bench import Play, print_table, speed_of
from mindup_env.config import GameConfig
from mindup_training import ppo, train
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.sb3 import NetworkPPO
from mindup_training.torch_setup import prepare_torch

_REPEATS = 3


@dataclass
class Options:
    """What is measured, on one core."""

    players: int = 4
    """players of a game"""
    num_envs: int = 128
    """games at once"""
    seconds: float = 10.0
    """time for each learner"""


def main(words: Sequence[str]) -> int:
    """Runs ``mindup bench train``."""
    options = tyro.cli(Options, prog="mindup bench train", description=__doc__, args=words)
    prepare_torch(1)
    settings = ppo.Settings(players=options.players, num_envs=options.num_envs)
    learners = {
        "MaskablePPO of sb3-contrib, one seat": play_sb3(settings.config(), options.num_envs),
        "`mindup_training.ppo`, all seats": play_ppo(ppo.PPO(settings)),
    }
    speeds = dict.fromkeys(learners, 0.0)
    # They alternate, so that other load of the machine affects both.
    for _ in range(_REPEATS):
        for name, play in learners.items():
            speeds[name] = max(speeds[name], speed_of(play, options.seconds / _REPEATS))
    head = [
        f"{options.num_envs} games of {options.players} players",
        "decisions per second, played and learned from",
    ]
    print_table(head, ((name, f"{speed:,.0f}") for name, speed in speeds.items()))
    return 0


def play_ppo(learner: ppo.PPO) -> Play:
    """Plays a rollout and learns from it, again and again."""
    while True:
        before = learner.timesteps
        learner.learn()
        yield learner.timesteps - before


def play_sb3(config: GameConfig, num_envs: int) -> Play:
    """The same, as ``mindup train`` does."""
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
    decisions = num_envs * config.num_turns
    while True:
        model.learn(decisions, reset_num_timesteps=False)
        yield decisions
